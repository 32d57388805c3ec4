import { spawn } from "node:child_process";
import { once } from "node:events";

export const root = new URL("../..", import.meta.url).pathname;

/**
 * Starts a program of the project as in production, by default the site.
 * @param how `command`: instead of node; `detached`: in a process group of its own, as in a terminal
 */
export function spawnServer(
  env: Record<string, string>,
  args = ["app/server/main.ts"],
  cwd = root,
  how: { command?: string; detached?: boolean } = {},
) {
  const { command = process.execPath, detached = false } = how;
  const child = spawn(command, args, {
    cwd,
    detached,
    env: { ...process.env, NODE_ENV: "production", ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const isReady = Promise.withResolvers<boolean>();
  let output = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream.on("data", (chunk: Buffer) => {
      output += chunk;
      if (output.includes("is ready")) {
        isReady.resolve(true);
      }
    });
  }
  child.once("exit", () => isReady.resolve(false));
  return {
    child,
    /** Whether it became ready, as its output says, or ended before. */
    isReady: isReady.promise,
    output: () => output,
    /** Ends it with a signal. Resolves to the exit code, null if the signal killed it. */
    async end(signal: NodeJS.Signals): Promise<number | null> {
      if (child.exitCode === null && child.signalCode === null) {
        const exit = once(child, "exit");
        child.kill(signal);
        await exit;
      }
      return child.exitCode;
    },
  };
}
