import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdir } from "node:fs/promises";
import { join } from "node:path";
import { findPostgres, signalAll } from "#embedded/engine/processes.ts";
import { freePort, root } from "#tests/support/site.ts";

/** A site that can be killed repeatedly. Each start is a new process on the same data and port. */
export interface SiteProcess {
  url: string;
  dataDir: string;
  pid(): number | undefined;
  /** Spawns the site. Resolves to whether it became ready. */
  start(): Promise<boolean>;
  /** Returns the process ids of its PostgreSQL. */
  postgres(): ReturnType<typeof findPostgres>;
  killSite(): Promise<void>;
  killDatabase(): Promise<void>;
  /** Ends it with SIGTERM. */
  stop(): Promise<void>;
  /** Returns the output since the last start. */
  output(): string;
}

/**
 * @param folder an empty folder for the data
 * @param settings additional environment variables
 */
export async function siteProcess(
  folder: string,
  settings: Record<string, string> = {},
): Promise<SiteProcess> {
  const dataDir = join(folder, "data");
  const port = await freePort();
  await mkdir(dataDir, { recursive: true });
  const cluster = join(dataDir, "database/cluster/data");
  let child: ChildProcess | undefined;
  let output = "";

  const end = async (signal: NodeJS.Signals) => {
    if (child && child.exitCode === null && child.signalCode === null) {
      const exit = once(child, "exit");
      child.kill(signal);
      await exit;
    }
  };
  const postgres = () => findPostgres(cluster).catch(() => ({ roots: [], all: [] }));

  return {
    url: `http://localhost:${port}`,
    dataDir,
    pid: () => child?.pid,
    start() {
      output = "";
      const started = spawn(process.execPath, ["app/server/main.ts"], {
        cwd: root,
        env: {
          ...process.env,
          NODE_ENV: "production",
          PORT: String(port),
          DATA_DIR: dataDir,
          TRUSTED_PROXIES: "loopback",
          ...settings,
        },
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      const ready = Promise.withResolvers<boolean>();
      const listen = (chunk: Buffer) => {
        output += chunk;
        if (output.includes("is ready")) {
          ready.resolve(true);
        }
      };
      started.stdout.on("data", listen);
      started.stderr.on("data", listen);
      started.once("exit", () => ready.resolve(false));
      return ready.promise;
    },
    postgres,
    killSite: () => end("SIGKILL"),
    async killDatabase() {
      signalAll((await postgres()).all, "SIGKILL");
    },
    stop: () => end("SIGTERM"),
    output: () => output,
  };
}
