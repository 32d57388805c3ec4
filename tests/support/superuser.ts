import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPool, type SqlPool } from "#embedded/sql.ts";

/** Returns the folder of PostgreSQL's socket. */
export async function socketFolder(dataDir: string): Promise<string> {
  const file = join(dataDir, "database/cluster/data/postmaster.pid");
  return (await readFile(file, "utf8")).split("\n")[4] ?? "";
}

/** Connects as superuser to the database of a running site or backend. */
export async function openSuperuser(dataDir: string, connections = 1): Promise<SqlPool> {
  return openPool({
    host: await socketFolder(dataDir),
    database: "postgres",
    user: "supabase_admin",
    password: await readFile(join(dataDir, "database/cluster/superuser-password"), "utf8"),
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
