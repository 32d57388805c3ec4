import { openPools } from "#embedded/database.ts";
import { bootstrap } from "#embedded/engine/bootstrap.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { openPool } from "#embedded/sql.ts";
import { silentLog } from "./log.ts";
import { copyEmptyCluster } from "./made-cluster.ts";

/** Starts PostgreSQL alone on a data folder, with the auth schema and these migrations. */
export async function startDatabase(folder: string, migrationsDir: string) {
  const held = new AsyncDisposableStack();
  try {
    await copyEmptyCluster(folder);
    const dataDir = await openDataDir(folder);
    const cluster = await startCluster(dataDir, silentLog);
    held.defer(() => cluster.stop());
    const passwords = await bootstrap(cluster, Buffer.alloc(32));
    const database = openPools(cluster.socketDir, passwords);
    held.defer(() => database.close());
    const asPostgres = database.login("postgres");
    const migrator = openPool({ ...asPostgres, max: 1 });
    await runMigrations(migrator, migrationsDir).finally(() => migrator.end());
    const sql = openPool({ ...asPostgres, max: 10 });
    held.defer(() => sql.end());
    const superuser = connectAsSuperuser(cluster);
    held.defer(() => superuser.end());
    return {
      dataDir,
      cluster,
      /** The connection pools of the services. */
      database,
      /** Connects as role postgres, which runs migrations. */
      sql,
      superuser,
      /** Stops PostgreSQL. */
      close: () => held.disposeAsync(),
    };
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}
