import { spawn } from "node:child_process";
import { once } from "node:events";

/** The program that `startChild` runs. */
export const childFile = new URL("./child-site.ts", import.meta.url).pathname;

/** Starts a site as a child process of a shell with this umask. Waits until it is ready. */
export async function startChild(
  dataDir: string,
  { umask = "022", env = {} }: { umask?: string; env?: Record<string, string> } = {},
) {
  const command = `umask ${umask} && exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", command, process.execPath, childFile, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
    // It makes its cluster.
    env: { ...process.env, EMPTY_CLUSTER: undefined, ...env },
  });
  await new Promise<void>((resolve, reject) => {
    child.stdout.on("data", (chunk) => String(chunk).includes("ready") && resolve());
    child.once("exit", (code) => reject(new Error(`The site ended (${code}).`)));
  });
  return child;
}

export async function endChild(child: Awaited<ReturnType<typeof startChild>>): Promise<void> {
  child.kill("SIGKILL");
  await once(child, "exit");
}
