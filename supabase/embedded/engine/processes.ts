import { execFile } from "node:child_process";
import { readdir, readFile, readlink, realpath } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function signalAll(pids: number[], signal: NodeJS.Signals): void {
  for (const pid of pids) {
    try {
      process.kill(pid, signal);
    } catch {
      // The process has ended.
    }
  }
}

export interface PostgresProcesses {
  /** The postmaster, or the orphans of a dead one. */
  roots: number[];
  all: number[];
}

/** Finds PostgreSQL's processes by their working directory. */
export async function findPostgres(data: string): Promise<PostgresProcesses> {
  const parents = process.platform === "linux" ? await scanProc(data) : await askPs(data);
  const all = [...parents.keys()];
  return { all, roots: all.filter((pid) => !parents.has(parents.get(pid) ?? 0)) };
}

/** Returns parent pids by pid. Reads /proc, because slim images have no ps. */
async function scanProc(data: string): Promise<Map<number, number>> {
  const parents = new Map<number, number>();
  const directory = await realpath(data);
  for (const pid of (await readdir("/proc")).map(Number).filter((name) => name > 0)) {
    const stat = await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "");
    // proc_pid_stat(5): pid, (name), state, parent.
    const [, parent] = /^\d+ \(postgres\) [^Z] (\d+) /.exec(stat) ?? [];
    if (parent && (await readlink(`/proc/${pid}/cwd`).catch(() => "")) === directory) {
      parents.set(pid, Number(parent));
    }
  }
  return parents;
}

/** On macOS the postmaster is recognised by its arguments, and the others by their parent. */
async function askPs(data: string): Promise<Map<number, number>> {
  const file = await readFile(join(data, "postmaster.pid"), "utf8").catch(() => "");
  const postmaster = Number.parseInt(file, 10);
  const parents = new Map<number, number>();
  const { stdout } = await promisify(execFile)("ps", ["-ww", "-A", "-o", "pid=,ppid=,command="]);
  for (const [, pid, parent, command = ""] of stdout.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)) {
    if (command.includes(`-D ${data} `) || Number(parent) === postmaster) {
      parents.set(Number(pid), Number(parent));
    }
  }
  return parents;
}
