import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";
import { join } from "node:path";
import { connectAsSuperuser, openPostgres, unlistedCall } from "embedded-supabase/testing";
import { copyCluster } from "./cluster-template.ts";
import { tempFolder } from "./folder.ts";
import { silentLog } from "./log.ts";
import { root, spawnServer } from "./spawn-server.ts";

/** How long sites may take to start on a busy machine. */
export const startMs = 120_000;

export type RunningSite = Awaited<ReturnType<typeof startSite>>;

/**
 * Starts the production site as a process on a new data folder.
 * @param env overrides the environment of the tests
 * @param statements SQL to run on the migrated database before the start, to inject a fault
 * @param args arguments of node
 * @param project folder of a copy of the project
 */
export async function startSite(
  env: Record<string, string> = {},
  statements?: string,
  args: string[] = [],
  project = root,
) {
  const folder = await tempFolder();
  const port = await freePort();
  const settings = {
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: join(folder.path, "data"),
    // Every test has its own client address (see test.ts), so that tests do not share limits.
    TRUSTED_PROXIES: "loopback",
    ...env,
  };
  if (env["DATA_DIR"] === undefined) {
    await copyCluster(settings.DATA_DIR);
  }
  if (statements !== undefined) {
    await runStatements(settings.DATA_DIR, statements);
  }
  /** The output of the runs before a restart. */
  let earlier = "";
  /** Where the output begins that a file asks for. */
  let begin = 0;
  let server = await run();
  return {
    url: `http://localhost:${port}`,
    dataDir: settings.DATA_DIR,
    pid: () => server.child.pid,
    output,
    /** Returns the lines of the output that contain `text`. */
    linesWith: (text: string) =>
      output()
        .split("\n")
        .filter((line) => line.includes(text)),
    /** Leaves what was printed so far out of `output`. */
    forgetOutput: () => void (begin = server.output().length),
    /** Returns the path of the claim link that the start printed. */
    claimPath,
    /** Returns the code in the claim link. */
    claimCode: () => new URL(claimPath(), "http://localhost").searchParams.get("code") ?? "",
    /** Ends the process with a signal and restarts it on the same data and port. */
    async restart(signal: NodeJS.Signals) {
      await server.end(signal);
      earlier += server.output();
      begin = 0;
      server = await run();
    },
    /** Ends the process with a signal. Resolves to the exit code, null if the signal killed it. */
    end: (signal: NodeJS.Signals) => server.end(signal),
    /** Ends the process and removes its data. Rejects if the site made a call that is not listed. */
    async stop() {
      await server.end("SIGTERM");
      await folder[Symbol.asyncDispose]();
      const refused = (earlier + server.output())
        .split("\n")
        .find((line) => line.includes(unlistedCall));
      if (refused !== undefined) {
        throw new Error(refused);
      }
    },
  };

  /** Returns the output of this run so far. */
  function output(): string {
    return server.output().slice(begin);
  }

  function claimPath(): string {
    const [path] = /\/admin\/claim\?code=[0-9a-f-]+/.exec(server.output()) ?? [];
    if (path === undefined) {
      throw new Error(`The start printed no link to claim the inbox: ${server.output()}`);
    }
    return path;
  }

  async function run() {
    const started = spawnServer(settings, ["app/server/main.ts", ...args], project);
    // A failing test must not leave a site running.
    const kill = () => started.child.kill("SIGKILL");
    process.once("exit", kill);
    started.child.once("exit", () => process.off("exit", kill));
    if (!(await started.isReady)) {
      throw new Error(`The site ended (${started.child.exitCode}): ${started.output()}`);
    }
    return started;
  }
}

// Linux gives the ports above 32,767 to outgoing connections and to servers that name none: one of those could be
// taken before a site listens, or while it restarts. Another worker counts from elsewhere.
let lastPort = randomInt(20_000, 30_000);

/** Returns a port that is free just now. */
export async function freePort(): Promise<number> {
  const port = (lastPort += 1);
  const server = createServer().listen(port);
  try {
    await once(server, "listening");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EADDRINUSE") {
      return freePort();
    }
    throw error;
  }
  server.close();
  await once(server, "close");
  return port;
}

async function runStatements(dataDir: string, statements: string): Promise<void> {
  const database = await openPostgres(dataDir, silentLog);
  const sql = connectAsSuperuser(database);
  await sql.script(`set role postgres; ${statements}`);
  await sql.end();
  await database.close();
}
