import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import type { Env } from "#app/server/settings.ts";
import { openPostgres } from "#embedded/engine/open-postgres.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";

interface OwnDatabase {
  /** Connects as role postgres, which owns the site's tables and is not a superuser. */
  sql: Sql;
  /** Identifies the keys that encrypt its secrets; null for an outside Supabase. */
  keys: string | null;
  close(): Promise<void>;
}

/** Opens the site's database, embedded or outside. @throws {StartError} */
export async function openOwnDatabase(env: Env): Promise<OwnDatabase> {
  if (env.SUPABASE_URL) {
    return openOutside(env.SUPABASE_DB_URL);
  }
  const database = await openPostgres(env.DATA_DIR, log);
  const sql = connectAsSuperuser(database, { role: "postgres" });
  const keys = await readFile(join(database.dataDir, "database/keys-identity"), "utf8");
  return {
    sql,
    keys,
    async close() {
      await sql.end({ timeout: 5 });
      await database.close();
    },
  };
}

function openOutside(url: string | undefined): OwnDatabase {
  if (url === undefined) {
    throw new StartError(
      "Set SUPABASE_DB_URL to your project's connection string, as role postgres.",
    );
  }
  const isNamed = new URL(url).searchParams.has("sslmode");
  // Poolers share connections between transactions, so no statement is prepared.
  const sql = postgres(url, {
    ...(!isNamed && { ssl: "require" }),
    max: 1,
    prepare: false,
    fetch_types: false,
    onnotice: () => undefined,
  });
  return { sql, keys: null, close: () => sql.end() };
}
