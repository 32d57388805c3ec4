import { readFile } from "node:fs/promises";
import { join } from "node:path";
import {
  authSchemaFile,
  bootstrap,
  openDatabase,
  openDataDir,
  openPool,
  runMigrations,
  startCluster,
  superuserLogin,
} from "#embedded/testing.ts";
import { copyCluster, migrationsDir } from "#tests/support/cluster-template.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { silentLog } from "#tests/support/log.ts";

export type TestDatabase = Awaited<ReturnType<typeof startTestDatabase>>;

/** Starts PostgreSQL on a new data folder, with the auth schema and the site's migrations. */
export async function startTestDatabase() {
  const held = new AsyncDisposableStack();
  const folder = held.use(await tempFolder());
  try {
    const dataDir = await openDataDir(join(folder.path, "data"));
    await copyCluster(dataDir);
    const cluster = await startCluster(dataDir, silentLog);
    held.defer(() => cluster.stop());
    const passwords = await bootstrap(cluster, await readFile(authSchemaFile, "utf8"));
    const database = openDatabase(cluster.socketDir, passwords);
    held.defer(() => database.close());
    const asPostgres = database.login("postgres");
    const migrator = openPool({ ...asPostgres, max: 1 });
    await runMigrations(migrator, migrationsDir).finally(() => migrator.end());
    const sql = openPool({ ...asPostgres, max: 10 });
    held.defer(() => sql.end());
    const superuser = openPool({ ...superuserLogin(cluster), max: 1, idleTimeoutMillis: 0 });
    held.defer(() => superuser.end());
    return {
      dataDir,
      cluster,
      /** The connection pools of the services. */
      database,
      /** Connects as role postgres, which runs migrations. */
      sql,
      superuser,
      /** Stops PostgreSQL and removes the data folder. */
      close: () => held.disposeAsync(),
    };
  } catch (error) {
    await held.disposeAsync();
    throw error;
  }
}
