import { bootstrap, type Passwords } from "./engine/bootstrap.ts";
import { type Cluster, startCluster } from "./engine/cluster.ts";
import { missingMigrations, runMigrations } from "./engine/migrations.ts";
import { connectAsSuperuser, loginAs } from "./engine/superuser.ts";
import { type Keys, loadKeys } from "./keys.ts";
import type { Log } from "./log.ts";
import { openPool } from "./sql.ts";

interface Prepared {
  cluster: Cluster;
  keys: Keys;
  passwords: Passwords;
}

interface PrepareOptions {
  migrationsDir: string;
  /**
   * Called before new migrations run on a database that already has some. Commands can open the database
   * meanwhile.
   */
  beforeUpdate?: ((migrations: string[]) => Promise<void>) | undefined;
  log: Log;
}

/**
 * Starts the database of a data folder, or makes it if there is none, and runs the migrations that it lacks.
 * @throws {EngineError} also if another version made the database, which stays unchanged
 * @throws what `beforeUpdate` throws
 */
export async function prepare(
  dataDir: string,
  { migrationsDir, beforeUpdate, log }: PrepareOptions,
): Promise<Prepared> {
  const cluster = await startCluster(dataDir, log);
  try {
    const superuser = connectAsSuperuser(cluster);
    const missing = await missingMigrations(superuser, migrationsDir).finally(() =>
      superuser.end(),
    );
    const keys = await loadKeys(dataDir);
    const isUpdate = missing.length > 0;
    if (isUpdate) {
      await beforeUpdate?.(missing);
    }
    const passwords = await bootstrap(cluster, keys.derive("database-password"));
    const asOwner = loginAs("postgres", passwords.postgres, cluster.socketDir);
    const migrator = openPool({ ...asOwner, max: 1 });
    const ran = await runMigrations(migrator, migrationsDir).finally(() => migrator.end());
    if (isUpdate) {
      ran.forEach((file) => log.info("A migration ran", { file }));
    }
    return { cluster, keys, passwords };
  } catch (error) {
    await cluster.stop();
    throw error;
  }
}
