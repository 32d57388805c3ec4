import { execFileSync } from "node:child_process";
import { readFile } from "node:fs/promises";
import { join } from "node:path";

export const isRoot = process.getuid?.() === 0;

const linesOfPid = async (dataDir: string) =>
  (await readFile(join(dataDir, "database/cluster/data/postmaster.pid"), "utf8")).split("\n");

export async function postmasterPid(dataDir: string): Promise<number> {
  return Number((await linesOfPid(dataDir))[0]);
}

/** Returns the folder of PostgreSQL's socket. */
export async function socketFolder(dataDir: string): Promise<string> {
  return (await linesOfPid(dataDir))[4] ?? "";
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
