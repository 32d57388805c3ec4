import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { freePort } from "#tests/support/site.ts";

export const root = new URL("../..", import.meta.url).pathname;

export interface Running extends AsyncDisposable {
  url: string;
  pid: number;
  /** From the spawn of the process to its output that it is ready. */
  startMs: number;
}

/** Creates an empty folder. Disposing removes it. */
export async function tempFolder(): Promise<AsyncDisposable & { path: string }> {
  const path = await mkdtemp(join(tmpdir(), "tawasul-bench-"));
  // As root, PostgreSQL runs as a system user, which must be able to enter.
  await chmod(path, 0o711);
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

/** Starts the production site as a process. Visitors set their address by X-Forwarded-For. */
export function startSite(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Running> {
  return startServer(["app/server/main.ts"], {
    env: { DATA_DIR: dataDir, TRUSTED_PROXIES: "loopback", ...settings },
    ready: "is ready",
  });
}

/**
 * Starts a Node program that serves HTTP on PORT, and waits until its output contains `ready`.
 * Rejects if it ends before. Disposing stops it.
 */
export async function startServer(
  args: string[],
  options: { ready: string; env?: Record<string, string> },
): Promise<Running> {
  const port = await freePort();
  const startedAt = performance.now();
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      SITE_URL: `http://127.0.0.1:${port}`,
      ...options.env,
    },
    stdio: ["ignore", "pipe", "ignore"],
  });
  const output = await untilReady(child, options.ready);
  return {
    url: `http://127.0.0.1:${port}`,
    pid: child.pid ?? 0,
    startMs: performance.now() - startedAt,
    async [Symbol.asyncDispose]() {
      output.destroy();
      const exit = once(child, "exit");
      child.kill("SIGTERM");
      await exit;
    },
  };
}

async function untilReady(child: ChildProcess, ready: string) {
  const output = child.stdout;
  if (output === null) {
    throw new Error("The server's output cannot be read.");
  }
  const isReady = Promise.withResolvers<void>();
  let text = "";
  output.on("data", (chunk: Buffer) => {
    text += chunk;
    if (text.includes(ready)) {
      isReady.resolve();
    }
  });
  child.once("exit", (code) => isReady.reject(new Error(`The server ended (${code}): ${text}`)));
  await isReady.promise;
  return output;
}
