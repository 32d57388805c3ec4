import { join } from "node:path";
import { startDatabase } from "embedded-supabase/testing";
import { copyCluster, migrationsDir } from "#tests/support/cluster-template.ts";
import { tempFolder } from "#tests/support/folder.ts";

export type TestDatabase = Awaited<ReturnType<typeof startTestDatabase>>;

/** Starts PostgreSQL on a new data folder, with the auth schema and the site's migrations. */
export async function startTestDatabase() {
  const folder = await tempFolder();
  const remove = () => folder[Symbol.asyncDispose]();
  try {
    const dataDir = join(folder.path, "data");
    await copyCluster(dataDir);
    const database = await startDatabase(dataDir, migrationsDir);
    return {
      ...database,
      /** Stops PostgreSQL and removes the data folder. */
      close: () => database.close().finally(remove),
    };
  } catch (error) {
    await remove();
    throw error;
  }
}
