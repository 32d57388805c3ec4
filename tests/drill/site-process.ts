import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres, signalAll } from "embedded-supabase/testing";
import { freePort } from "#tests/support/site.ts";
import { spawnServer } from "#tests/support/spawn-server.ts";

export type SiteProcess = Awaited<ReturnType<typeof siteProcess>>;

/**
 * Returns a site that can be killed repeatedly. Each start is a new process on the same data and port.
 * @param folder an empty folder for the data
 */
export async function siteProcess(folder: string) {
  const dataDir = join(folder, "data");
  const port = await freePort();
  await mkdir(dataDir, { recursive: true });
  const cluster = join(dataDir, "database/cluster/data");
  let server: ReturnType<typeof spawnServer> | undefined;

  const end = async (signal: NodeJS.Signals) => void (await server?.end(signal));
  const postgres = (): ReturnType<typeof findPostgres> =>
    findPostgres(cluster).catch(() => ({ roots: [], all: [] }));

  return {
    url: `http://localhost:${port}`,
    dataDir,
    /** Spawns the site. Resolves to whether it became ready. */
    start() {
      server = spawnServer({
        PORT: String(port),
        DATA_DIR: dataDir,
        TRUSTED_PROXIES: "loopback",
      });
      return server.isReady;
    },
    /** Returns the process ids of its PostgreSQL. */
    postgres,
    killSite: () => end("SIGKILL"),
    async killDatabase() {
      signalAll((await postgres()).all, "SIGKILL");
    },
    stop: () => end("SIGTERM"),
    /** Returns the output since the last start. */
    output: () => server?.output() ?? "",
  };
}
