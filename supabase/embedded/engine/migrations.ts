import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";

import { splitSqlStatements } from "@supabase/lite";
import type { Sql } from "postgres";

import { reason, StartError } from "./start-error.ts";

type Migration = { file: string; version: string; name: string; text: string };

/**
 * Runs what is new in a migrations folder of the Supabase CLI's layout, by order of version,
 * over a single connection as role postgres. Each runs in one transaction together with its
 * record in `supabase_migrations.schema_migrations`. Fails with StartError naming the file; the
 * database is then as it was before that file.
 */
export async function runMigrations(sql: Sql, folder: string): Promise<void> {
  const migrations = await readMigrations(folder);
  const rows = await sql`select version from supabase_migrations.schema_migrations`;
  const done = new Set(rows.map((row) => row["version"]));
  for (const migration of migrations) {
    if (!done.has(migration.version)) await runMigration(sql, migration);
  }
}

async function readMigrations(folder: string): Promise<Migration[]> {
  const found: Migration[] = [];
  try {
    for (const file of await readdir(folder)) {
      const [, version, name] = /^(\d+)_(.*)\.sql$/.exec(file) ?? [];
      if (version === undefined || name === undefined) continue;
      found.push({ file, version, name, text: await readFile(join(folder, file), "utf8") });
    }
  } catch (error) {
    throw new StartError(`The migrations in ${folder} cannot be read: ${reason(error)}`);
  }
  return found.toSorted((a, b) => (BigInt(a.version) < BigInt(b.version) ? -1 : 1));
}

async function runMigration(sql: Sql, { file, version, name, text }: Migration): Promise<void> {
  if (endsTransaction(splitSqlStatements(text)))
    throw new StartError(
      `The migration ${file} ends its transaction itself; each one runs in one.`,
    );
  try {
    // What an earlier file set for its session, such as an empty search_path, is not this one's.
    await sql`reset all`;
    await sql.begin(async (transaction) => {
      await transaction.unsafe(text);
      await transaction`
        insert into supabase_migrations.schema_migrations (version, statements, name)
        values (${version}, array[${text}], ${name})`;
    });
  } catch (error) {
    throw new StartError(`The migration ${file} failed: ${reason(error)}`);
  }
}

const comments = /^(?:\s|--.*|\/\*[^]*?\*\/)*/;

function endsTransaction(statements: string[]): boolean {
  let isInBody = false;
  return statements.some((statement) => {
    const text = statement.replace(comments, "");
    // Such a function's own semicolons split it, and its `end` stands alone.
    if (/\bbegin\s+atomic\b/i.test(text)) isInBody = true;
    if (!/^(commit|end|rollback|abort)\b(?!\s+to\b)/i.test(text)) return false;
    const endsBody = isInBody && /^end\b/i.test(text);
    isInBody = false;
    return !endsBody;
  });
}
