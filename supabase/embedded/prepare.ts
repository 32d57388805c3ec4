import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { bootstrap, type Passwords } from "./engine/bootstrap.ts";
import { type Cluster, startCluster } from "./engine/cluster.ts";
import { runMigrations } from "./engine/migrations.ts";
import { superuserLogin } from "./engine/superuser.ts";
import { type Keys, loadKeys } from "./keys.ts";
import type { Log } from "./log.ts";
import { openPool } from "./sql.ts";

interface Prepared {
  cluster: Cluster;
  keys: Keys;
  passwords: Passwords;
}

/** Starts the database of a data folder, made if there is none, and runs what it lacks. @throws {EngineError} */
export async function prepare(dataDir: string, migrationsDir: string, log: Log): Promise<Prepared> {
  const cluster = await startCluster(dataDir, log);
  try {
    const keys = await loadKeys(dataDir);
    const authSchema = await readFile(join(import.meta.dirname, "auth/schema.sql"), "utf8");
    const passwords = await bootstrap(cluster, authSchema);
    const asOwner = { ...superuserLogin(cluster), user: "postgres", password: passwords.postgres };
    const migrator = openPool({ ...asOwner, max: 1 });
    await runMigrations(migrator, migrationsDir).finally(() => migrator.end());
    return { cluster, keys, passwords };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
