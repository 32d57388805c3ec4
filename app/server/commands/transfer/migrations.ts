import { readdir } from "node:fs/promises";
import { join } from "node:path";
import type { ClientBase } from "pg";
import { projectRoot } from "#app/server/settings.ts";

export const migrationsDir = join(projectRoot, "supabase/migrations");

/** Returns the versions of the migrations that this version of the site has. */
export async function knownMigrations(): Promise<string[]> {
  const files = await readdir(migrationsDir);
  return files.flatMap((file) => /^(\d+)_.*\.sql$/.exec(file)?.[1] ?? []).toSorted();
}

/** Returns those of them that a database has. One that psql made has no list, and so none. */
export async function siteMigrations(client: ClientBase): Promise<string[]> {
  const list = "supabase_migrations.schema_migrations";
  const { rows: found } = await client.query("select to_regclass($1) as list", [list]);
  if (found[0].list === null) {
    return [];
  }
  const { rows } = await client.query<{ version: string }>(`select version from ${list}`);
  const has = new Set(rows.map(({ version }) => version));
  return (await knownMigrations()).filter((version) => has.has(version));
}
