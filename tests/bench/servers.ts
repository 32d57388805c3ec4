import { freePort } from "#tests/support/site.ts";
import { spawnServer } from "#tests/support/spawn-server.ts";

export type Running = Awaited<ReturnType<typeof startServer>>;

/** Starts the production site as a process. Visitors set their address by X-Forwarded-For. */
export function startSite(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<Running> {
  const env = { DATA_DIR: dataDir, TRUSTED_PROXIES: "loopback", ...settings };
  return startServer(["app/server/main.ts"], env);
}

/**
 * Starts a Node program that serves HTTP on PORT, and waits until it says that it is ready. Rejects if
 * it ends before. Disposing stops it.
 */
export async function startServer(args: string[], env: Record<string, string> = {}) {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const startedAt = performance.now();
  const server = spawnServer({ PORT: String(port), SITE_URL: url, ...env }, args);
  if (!(await server.isReady)) {
    throw new Error(`The server ended (${server.child.exitCode}): ${server.output()}`);
  }
  return {
    url,
    pid: server.child.pid ?? 0,
    /** From the spawn of the process to its output that it is ready. */
    startMs: performance.now() - startedAt,
    [Symbol.asyncDispose]: async () => void (await server.end("SIGTERM")),
  };
}
