import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql, SqlPool } from "#embedded/sql.ts";
import { reason, EngineError } from "./engine-error.ts";

interface Migration {
  file: string;
  version: string;
  name: string;
  text: string;
}

/**
 * Runs the new migrations of a folder in the Supabase CLI's layout, all of them in one transaction with their
 * records. Returns their files. Throws EngineError if one fails, was changed or is missing.
 */
export async function runMigrations(sql: SqlPool, folder: string): Promise<string[]> {
  const migrations = await readMigrations(folder);
  return sql.begin(async (transaction) => {
    const done = await compareWithRecorded(transaction, migrations);
    const missing = migrations.filter(({ version }) => !done.has(version));
    for (const migration of missing) {
      await runMigration(transaction, migration);
    }
    return missing.map(({ file }) => file);
  });
}

/**
 * Returns the names of a folder's migrations that a database lacks, or none if it has no migration yet.
 * Changes nothing, and throws EngineError as `runMigrations` does, so that a refused database stays
 * unchanged.
 */
export async function missingMigrations(sql: Sql, folder: string): Promise<string[]> {
  const list = "supabase_migrations.schema_migrations";
  const [found] = await sql<{ is: boolean }>`select to_regclass(${list}) is not null as is`;
  if (!found?.is) {
    return [];
  }
  const migrations = await readMigrations(folder);
  const done = await compareWithRecorded(sql, migrations);
  const missing = migrations.filter(({ version }) => done.size > 0 && !done.has(version));
  return missing.map(({ file }) => file);
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const found: Migration[] = [];
  try {
    for (const file of await readdir(folder)) {
      const [, version, name] = /^(\d+)_(.*)\.sql$/.exec(file) ?? [];
      if (version !== undefined && name !== undefined) {
        found.push({ file, version, name, text: await readFile(join(folder, file), "utf8") });
      }
    }
  } catch (error) {
    throw new EngineError("failed", `The migrations in ${folder} cannot be read: ${reason(error)}`);
  }
  return found.toSorted((a, b) => ascending(BigInt(a.version), BigInt(b.version)));
}

const ascending = (a: bigint, b: bigint) => (a < b ? -1 : 1);

async function compareWithRecorded(sql: Sql, migrations: Migration[]): Promise<Set<string>> {
  const recorded = await sql<{ version: string; name: string; text: string }>`
    select version, name, statements[1] as text from supabase_migrations.schema_migrations order by version`;
  const newest = recorded
    .map(({ version }) => BigInt(version))
    .toSorted(ascending)
    .at(-1);
  const [first] = migrations;
  if (newest !== undefined && first && newest < BigInt(first.version)) {
    throw new EngineError(
      "old-schema",
      `All migrations of this database are older than ${first.file}.`,
    );
  }
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, name, text } of recorded) {
    const migration = byVersion.get(version);
    if (migration === undefined) {
      throw new EngineError(
        "missing-migration",
        `This database has the migration ${version}_${name}.sql, but the file is missing.`,
      );
    }
    if (migration.text !== text) {
      throw new EngineError(
        "changed-migration",
        `This database was made with another ${migration.file}.`,
      );
    }
  }
  return new Set(recorded.map(({ version }) => version));
}

async function runMigration(sql: Sql, { file, version, name, text }: Migration): Promise<void> {
  try {
    await sql`
      insert into supabase_migrations.schema_migrations (version, statements, name)
      values (${version}, array[${text}], ${name})`;
    // EXECUTE rejects COMMIT and ROLLBACK, so the file cannot leave the transaction.
    await sql`select set_config('migration.text', ${text}, true)`;
    await sql.script("do 'begin execute current_setting(''migration.text''); end'");
    // As at the end of a transaction: checks that wait, and settings such as search_path, are this file's.
    await sql.script("set constraints all immediate; reset all; reset role");
  } catch (error) {
    const isTransactionCommand = /EXECUTE of transaction commands/.test(reason(error));
    throw new EngineError(
      "failed",
      isTransactionCommand
        ? `The migration ${file} begins or ends a transaction; all of a start run in one.`
        : `The migration ${file} failed: ${reason(error)}`,
    );
  }
}
