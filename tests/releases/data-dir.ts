import { cp, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import postgres, { type TransactionSql } from "postgres";
import { openDatabase } from "#embedded/database.ts";
import { bootstrap } from "#embedded/engine/bootstrap.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { loadKeys } from "#embedded/keys.ts";
import { migrationsDir } from "#tests/support/database.ts";

interface Credentials {
  email: string;
  password: string;
}

/** What record.ts wrote to data.json. */
interface Recorded {
  accounts: {
    owner: Credentials & { totpSecret: string; recoveryCode: string };
    reader: Credentials;
  };
  keys: object;
  rows: Record<string, object[]>;
}

/**
 * Makes a data folder in `parent` as a release left it: its auth schema and migrations, and the
 * rows that were recorded. The PostgreSQL and the roles are today's, as after an upgrade.
 */
export async function makeDataDir(parent: string, release: string) {
  const folder = join(import.meta.dirname, release);
  const { accounts, keys, rows }: Recorded = JSON.parse(
    await readFile(join(folder, "data.json"), "utf8"),
  );
  const released = JSON.parse(await readFile(join(folder, "migrations.json"), "utf8"));
  const releasedMigrations = join(parent, "migrations");
  await mkdir(releasedMigrations);
  for (const file of Object.keys(released)) {
    await cp(join(migrationsDir, file), join(releasedMigrations, file));
  }
  const dataDir = await openDataDir(join(parent, "data"));
  await writeFile(join(dataDir, "keys.json"), JSON.stringify(keys), { mode: 0o600 });

  const cluster = await startCluster(dataDir, console);
  try {
    await loadKeys(dataDir);
    const authSchema = await readFile(join(folder, "auth-schema.sql"), "utf8");
    const database = openDatabase(cluster.socketDir, await bootstrap(cluster, authSchema));
    const migrator = postgres({
      ...database.connectionOptions("postgres"),
      max: 1,
      fetch_types: false,
    });
    await runMigrations(migrator, releasedMigrations).finally(() => migrator.end());
    await database.close();
    const superuser = connectAsSuperuser(cluster);
    await superuser.begin((sql) => loadRows(sql, rows)).finally(() => superuser.end());
  } finally {
    await cluster.stop();
  }
  return { dataDir, accounts };
}

/** Replaces all rows by the recorded ones, past triggers and foreign keys. */
async function loadRows(sql: TransactionSql, tables: Recorded["rows"]): Promise<void> {
  await sql`set local session_replication_role = replica`;
  await sql.unsafe(`truncate ${Object.keys(tables).join(", ")}`);
  for (const [table, rows] of Object.entries(tables)) {
    const columns = await sql<{ name: string; isIdentity: boolean }[]>`
      select quote_ident(attname) as name, attidentity <> '' as "isIdentity" from pg_attribute
      where attrelid = ${table}::regclass and attnum > 0 and not attisdropped
        and attgenerated = ''`;
    const names = columns.map(({ name }) => name).join(", ");
    await sql.unsafe(
      `insert into ${table} (${names}) overriding system value
       select ${names} from json_populate_recordset(null::${table}, $1::text::json)`,
      [JSON.stringify(rows)],
    );
    for (const { name } of columns.filter(({ isIdentity }) => isIdentity)) {
      await sql.unsafe(
        `select setval(pg_get_serial_sequence('${table}', '${name}'), coalesce(max(${name}), 0) + 1)
         from ${table}`,
      );
    }
  }
}
