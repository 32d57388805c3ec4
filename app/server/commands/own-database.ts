import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import type { Env } from "#app/server/settings.ts";
import { openPostgres } from "#embedded/engine/open-postgres.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { openPool, type SqlPool } from "#embedded/sql.ts";

interface OwnDatabase {
  /** Connects as role postgres, which owns the site's tables and is not a superuser. */
  sql: SqlPool;
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
  const identity = join(database.dataDir, "database/keys-identity");
  const keys = await readFile(identity, "utf8").catch(async (error: unknown) => {
    // Its PostgreSQL would keep the process alive.
    await database.close();
    throw error;
  });
  const sql = connectAsSuperuser(database, "postgres");
  return {
    sql,
    keys,
    async close() {
      await sql.end();
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
  const address = new URL(url);
  if (!address.searchParams.has("sslmode")) {
    address.searchParams.set("sslmode", "require");
  }
  // Reads sslmode as psql does. Without it pg takes "require" for "verify-full".
  address.searchParams.set("uselibpqcompat", "true");
  // Poolers share connections between transactions, so no statement is prepared.
  const sql = openPool({ connectionString: address.href, max: 1, prepare: false });
  return { sql, keys: null, close: () => sql.end() };
}
