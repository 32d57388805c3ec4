import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { expect } from "vitest";
import { EngineError } from "#embedded/index.ts";
import { startTestServer, type TestServer } from "./embedded-server.ts";
import { readMessages, storeMessages } from "./messages.ts";

/** The program that `startChild` runs. */
export const childFile = new URL("./crash-child.ts", import.meta.url).pathname;

export const isRoot = process.getuid?.() === 0;

/** Returns the message of the EngineError with which a start fails. */
export async function refusal(start: Promise<unknown>): Promise<string> {
  const error: unknown = await start.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EngineError);
  return (error as EngineError).message;
}

export async function postmasterPid(dataDir: string): Promise<number> {
  const file = join(dataDir, "database/cluster/data/postmaster.pid");
  return Number((await readFile(file, "utf8")).split("\n")[0]);
}

/** Whether a process runs. Zombies do not count. */
export function isAlive(pid: number): boolean {
  try {
    const state = execFileSync("ps", ["-o", "stat=", "-p", String(pid)], { encoding: "utf8" });
    return !state.startsWith("Z");
  } catch {
    return false;
  }
}

export function childrenOf(pid: number): number[] {
  const output = execFileSync("pgrep", ["-P", String(pid)], { encoding: "utf8" });
  return output.trim().split("\n").map(Number);
}

/** Starts a site as a child process of a shell with this umask. Waits until it is ready. */
export async function startChild(
  dataDir: string,
  { umask = "022", env = {} }: { umask?: string; env?: Record<string, string> } = {},
) {
  const command = `umask ${umask} && exec "$0" "$@"`;
  const child = spawn("/bin/sh", ["-c", command, process.execPath, childFile, dataDir], {
    stdio: ["ignore", "pipe", "inherit"],
    env: { ...process.env, ...env },
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

/** Returns the files and folders in a folder that other users can read or write. */
export async function openToOthers(folder: string): Promise<string[]> {
  const open: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    // PostgreSQL may have removed a temporary file meanwhile.
    const { mode } = (await stat(join(folder, name)).catch(() => undefined)) ?? { mode: 0 };
    if (mode & 0o066) {
      open.push(`${name} ${(mode & 0o777).toString(8)}`);
    }
  }
  return open;
}

/** Stores a message in the database of a running backend. */
export async function insert({ dataDir }: TestServer, text: string): Promise<void> {
  await storeMessages(dataDir, [{ name: "n", email: "a@b.co", message: text }]);
}

/** Starts a site, reads the stored messages, oldest first, and stops it. */
export async function storedMessages(dataDir: string): Promise<string[]> {
  const server = await startTestServer({ dataDir });
  try {
    return (await readMessages(dataDir)).map(({ message }) => message);
  } finally {
    await server.close();
  }
}
