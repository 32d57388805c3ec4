import { execFile } from "node:child_process";
import { readdir, readFile } from "node:fs/promises";
import { promisify } from "node:util";

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}

export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}

/** Also kills children that are stopped (SIGSTOP) and would keep PostgreSQL's shared memory. */
export async function killWithChildren(pid: number): Promise<void> {
  const children = await childrenOf(pid);
  for (const each of [pid, ...children]) {
    signal(each, "SIGKILL");
  }
}

async function childrenOf(parent: number): Promise<number[]> {
  if (process.platform !== "linux") {
    const found = await promisify(execFile)("pgrep", ["-P", String(parent)]).catch(() => undefined);
    return found?.stdout.trim().split("\n").map(Number) ?? [];
  }
  // Slim images have no ps or pgrep.
  const children: number[] = [];
  for (const name of await readdir("/proc")) {
    const pid = Number(name);
    const text = pid ? await readFile(`/proc/${pid}/stat`, "utf8").catch(() => "") : "";
    // After the name in parentheses: state, then the parent's id (proc_pid_stat(5)).
    if (Number(text.slice(text.lastIndexOf(")")).split(" ")[2]) === parent) {
      children.push(pid);
    }
  }
  return children;
}
