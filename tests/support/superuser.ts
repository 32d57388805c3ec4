import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPool, socketFolder, type SqlPool } from "embedded-supabase/testing";

const passwordOf = (dataDir: string) =>
  readFile(join(dataDir, "database/cluster/superuser-password"), "utf8");

/** Returns a SUPABASE_DB_URL that reaches a running database as role postgres. */
export async function databaseUrl(dataDir: string): Promise<string> {
  const params = new URLSearchParams({
    host: await socketFolder(dataDir),
    user: "supabase_admin",
    password: await passwordOf(dataDir),
    options: "-c role=postgres",
    sslmode: "disable",
  });
  return `postgresql:///postgres?${params}`;
}

/** Connects as superuser to the database of a running site or backend. */
export async function openSuperuser(dataDir: string, connections = 1): Promise<SqlPool> {
  return openPool({
    host: await socketFolder(dataDir),
    database: "postgres",
    user: "supabase_admin",
    password: await passwordOf(dataDir),
    max: connections,
    idleTimeoutMillis: 0,
  });
}

/** Calls `use` with one superuser connection, then closes it. */
export async function withSuperuser<Result>(
  dataDir: string,
  use: (sql: SqlPool) => Promise<Result>,
): Promise<Result> {
  const sql = await openSuperuser(dataDir);
  return use(sql).finally(() => sql.end());
}
