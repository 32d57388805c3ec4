import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "postgres";
import { reason, StartError } from "./start-error.ts";

interface Migration {
  file: string;
  version: string;
  name: string;
  text: string;
}

/**
 * Runs the new files of a folder in the Supabase CLI's layout over one connection, each with its
 * record in one transaction. Throws StartError if one fails, has changed or is missing.
 */
export async function runMigrations(sql: Sql, folder: string): Promise<void> {
  const migrations = await readMigrations(folder);
  const done = await compareWithRecorded(sql, migrations);
  for (const migration of migrations) {
    if (!done.has(migration.version)) {
      await runMigration(sql, migration);
    }
  }
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
    throw new StartError(`The migrations in ${folder} cannot be read: ${reason(error)}`);
  }
  return found.toSorted((a, b) => (BigInt(a.version) < BigInt(b.version) ? -1 : 1));
}

async function compareWithRecorded(sql: Sql, migrations: Migration[]): Promise<Set<string>> {
  const recorded = await sql<{ version: string; name: string; text: string }[]>`
    select version, name, statements[1] as text from supabase_migrations.schema_migrations order by version`;
  const byVersion = new Map(migrations.map((migration) => [migration.version, migration]));
  for (const { version, name, text } of recorded) {
    const migration = byVersion.get(version);
    if (migration === undefined) {
      throw new StartError(
        `This database was made with the migration ${version}_${name}.sql, which is missing: restore it, or start the newer version of the site that has it.`,
      );
    }
    if (migration.text !== text) {
      throw new StartError(
        `The migration ${migration.file} is not the one that made this database: restore that text and put the change in a new file.`,
      );
    }
  }
  return new Set(recorded.map(({ version }) => version));
}

async function runMigration(sql: Sql, { file, version, name, text }: Migration): Promise<void> {
  try {
    // Settings of an earlier file's session, such as an empty search_path, end here.
    await sql`reset all`;
    await sql.begin(async (transaction) => {
      await transaction`
        insert into supabase_migrations.schema_migrations (version, statements, name)
        values (${version}, array[${text}], ${name})`;
      // PostgreSQL's EXECUTE refuses COMMIT and the like, so the file cannot leave the transaction.
      await transaction`select set_config('migration.text', ${text}, true)`;
      await transaction.unsafe("do 'begin execute current_setting(''migration.text''); end'");
    });
  } catch (error) {
    const isTransactionCommand = /EXECUTE of transaction commands/.test(reason(error));
    throw new StartError(
      isTransactionCommand
        ? `The migration ${file} begins or ends a transaction; each file runs in one.`
        : `The migration ${file} failed: ${reason(error)}`,
    );
  }
}
