import { execFile } from "node:child_process";
import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { killWithChildren, signal } from "./processes.ts";
import { StartError } from "./start-error.ts";

/**
 * Ends a postmaster that outlived a killed site on this data directory, and removes its pid file.
 * Needs the site's lock.
 * @throws {StartError} if it does not end
 */
export async function stopStalePostmaster(data: string): Promise<void> {
  const file = join(data, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) {
    return;
  }
  const pid = Number(text.split("\n")[0]);
  if (Number.isInteger(pid) && pid > 1) {
    await endPostmaster(pid, data);
  }
  // Otherwise an unrelated process with the same pid makes PostgreSQL refuse to start.
  await rm(file, { force: true });
}

async function endPostmaster(pid: number, data: string): Promise<void> {
  const steps = [
    { end: () => signal(pid, "SIGINT"), patience: 10_000 },
    { end: () => signal(pid, "SIGQUIT"), patience: 5_000 },
    { end: () => killWithChildren(pid), patience: 5_000 },
  ];
  for (const { end, patience } of steps) {
    if (!(await isPostmasterOf(pid, data))) {
      return;
    }
    await end();
    const until = Date.now() + patience;
    while (Date.now() < until && (await isPostmasterOf(pid, data))) {
      await sleep(20);
    }
  }
  if (await isPostmasterOf(pid, data)) {
    throw new StartError(`A database server of an earlier start (process ${pid}) does not end.`);
  }
}

/** The working directory of a postmaster is its data directory. */
async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  try {
    if (process.platform === "linux") {
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(data));
    }
    const ps = ["-ww", "-o", "command=", "-p", String(pid)];
    const { stdout } = await promisify(execFile)("ps", ps);
    return stdout.includes(`-D ${data}`);
  } catch {
    return false;
  }
}
