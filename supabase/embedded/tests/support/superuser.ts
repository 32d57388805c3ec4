import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { openPool, type SqlPool } from "#embedded/sql.ts";
import { socketFolder } from "./processes.ts";

/** Connects as superuser to the database of a running site. */
export async function openSuperuser(dataDir: string, connections = 1): Promise<SqlPool> {
  return openPool({
    host: await socketFolder(dataDir),
    database: "postgres",
    user: "supabase_admin",
    password: await superuserPassword(dataDir),
    max: connections,
    idleTimeoutMillis: 0,
  });
}

export const superuserPassword = (dataDir: string) =>
  readFile(join(dataDir, "database/cluster/superuser-password"), "utf8");

/** Calls `use` with one superuser connection, then closes it. */
export async function withSuperuser<Result>(
  dataDir: string,
  use: (sql: SqlPool) => Promise<Result>,
): Promise<Result> {
  const sql = await openSuperuser(dataDir);
  return use(sql).finally(() => sql.end());
}
