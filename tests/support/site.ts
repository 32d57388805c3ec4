import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openPostgres } from "#embedded/engine/open-postgres.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { unlistedCall } from "#embedded/listed-call.ts";
import { copyCluster } from "./cluster-template.ts";
import { silentLog } from "./log.ts";

export const root = new URL("../..", import.meta.url).pathname;

export interface RunningSite {
  url: string;
  dataDir: string;
  /** Returns the output so far. */
  output(): string;
  /** Returns the path of the claim link that the start printed. */
  claimPath(): string;
  /** Returns the code in the claim link. */
  claimCode(): string;
  /** Ends the process with a signal and restarts it on the same data and port. */
  restart(signal: NodeJS.Signals): Promise<void>;
  /** Ends the process with a signal. Resolves to the exit code, null if the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
  /** Ends the process and removes its data. Rejects if the site made a call that is not listed. */
  stop(): Promise<void>;
}

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
): Promise<RunningSite> {
  const folder = await mkdtemp(join(tmpdir(), "tawasul-"));
  // As root, PostgreSQL runs as a system user, which must be able to enter.
  await chmod(folder, 0o711);
  const port = await freePort();
  const settings = {
    NODE_ENV: "production",
    PORT: String(port),
    DATA_DIR: join(folder, "data"),
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
  let output = "";
  /** The output of the runs before a restart. */
  let earlier = "";
  let child = await run();
  return {
    url: `http://localhost:${port}`,
    dataDir: settings.DATA_DIR,
    output: () => output,
    claimPath,
    claimCode: () => new URL(claimPath(), "http://localhost").searchParams.get("code") ?? "",
    async restart(signal) {
      await end(child, signal);
      child = await run();
    },
    end: (signal) => end(child, signal),
    async stop() {
      await end(child, "SIGTERM");
      // The database of a killed site may still be writing.
      await rm(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 });
      const refused = (earlier + output).split("\n").find((line) => line.includes(unlistedCall));
      if (refused !== undefined) {
        throw new Error(refused);
      }
    },
  };

  function claimPath(): string {
    const [path] = /\/admin\/claim\?code=[0-9a-f-]+/.exec(output) ?? [];
    if (path === undefined) {
      throw new Error(`The start printed no link to claim the inbox: ${output}`);
    }
    return path;
  }

  async function run(): Promise<ChildProcess> {
    const started = spawn(process.execPath, ["app/server/main.ts", ...args], {
      cwd: project,
      env: { ...process.env, ...settings },
      stdio: ["ignore", "pipe", "pipe"],
    });
    // A failing test must not leave a site running.
    const kill = () => started.kill("SIGKILL");
    process.once("exit", kill);
    const ready = Promise.withResolvers<void>();
    const listen = (chunk: Buffer) => {
      output += chunk;
      if (output.includes("is ready")) {
        ready.resolve();
      }
    };
    started.stdout.on("data", listen);
    started.stderr.on("data", listen);
    started.on("exit", (code) => {
      process.off("exit", kill);
      ready.reject(new Error(`The site ended (${code}): ${output}`));
    });
    earlier += output;
    output = "";
    await ready.promise;
    return started;
  }
}

async function end(child: ChildProcess, signal: NodeJS.Signals): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) {
    const exit = once(child, "exit");
    child.kill(signal);
    await exit;
  }
  return child.exitCode;
}

/** Returns a port that was free just now. */
export async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") {
    throw new Error("The system assigned no port.");
  }
  return address.port;
}

async function runStatements(dataDir: string, statements: string): Promise<void> {
  const database = await openPostgres(dataDir, silentLog);
  const sql = connectAsSuperuser(database, "postgres");
  await sql.script(statements);
  await sql.end();
  await database.close();
}
