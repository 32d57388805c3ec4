import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";

/** Connects as superuser to the database of a running site or backend. */
export async function openSuperuser(dataDir: string, connections = 1): Promise<Sql> {
  const cluster = join(dataDir, "database", "cluster");
  const pidFile = await readFile(join(cluster, "data", "postmaster.pid"), "utf8");
  return postgres({
    host: pidFile.split("\n")[4] ?? "",
    database: "postgres",
    username: "supabase_admin",
    password: await readFile(join(cluster, "superuser-password"), "utf8"),
    max: connections,
  });
}

/** Calls `use` with one superuser connection, then closes it. */
export async function withSuperuser<Result>(
  dataDir: string,
  use: (sql: Sql) => Promise<Result>,
): Promise<Result> {
  const sql = await openSuperuser(dataDir);
  return use(sql).finally(() => sql.end({ timeout: 1 }));
}
