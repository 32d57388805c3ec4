import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ClientBase } from "pg";
import { projectRoot } from "#app/server/settings.ts";

export const migrationsDir = join(projectRoot, "supabase/migrations");

/** Returns the migrations that this version of the site has, the newest last. */
export async function knownMigrations(): Promise<string[]> {
  const files = await readdir(migrationsDir);
  return files.flatMap((file) => /^(\d+)_.*\.sql$/.exec(file)?.[1] ?? []).toSorted();
}

/**
 * Returns the newest of them that a database has, or 0 if it has none of them, as a database of 1.0.0.
 * Undefined if the database has no list of migrations, because psql ran them.
 */
export async function newestMigration(client: ClientBase): Promise<string | undefined> {
  const list = "supabase_migrations.schema_migrations";
  const { rows: found } = await client.query("select to_regclass($1) as list", [list]);
  if (found[0].list === null) {
    return undefined;
  }
  const { rows } = await client.query<{ version: string }>(`select version from ${list}`);
  const has = new Set(rows.map(({ version }) => version));
  return (await knownMigrations()).findLast((version) => has.has(version)) ?? "0";
}
