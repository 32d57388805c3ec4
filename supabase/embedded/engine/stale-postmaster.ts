import { readFile, readlink, realpath, rm } from "node:fs/promises";
import { basename, join } from "node:path";
import { execFile } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";

import { StartError } from "./start-error.ts";

const run = promisify(execFile);

/**
 * Ends a postmaster that outlived a killed site on this data directory, and removes the socket
 * folder and the pid file it left, except the folder `keep`. Call it only while holding the site's lock. A process that
 * merely has the pid of a dead postmaster is left alone. Fails with StartError when the
 * postmaster does not end.
 */
export async function stopStalePostmaster(data: string, keep?: string): Promise<void> {
  const file = join(data, "postmaster.pid");
  const text = await readFile(file, "utf8").catch(() => undefined);
  if (text === undefined) return;
  // Lines as written by PostgreSQL's CreateLockFile: pid, data directory, start, port, socket folder.
  const lines = text.split("\n");
  const pid = Number(lines[0]);
  if (Number.isInteger(pid) && pid > 1) await endPostmaster(pid, data);
  // Without this, a foreign process with the same pid makes Postgres refuse to start.
  await rm(file, { force: true });
  // The file is the account's, so what root removes is held to the form makeSocketDir gives it.
  const socketDir = lines[4] ?? "";
  if (socketDir !== keep && /^tawasul-\w{6}$/.test(basename(socketDir)))
    await rm(socketDir, { recursive: true, force: true });
}

async function endPostmaster(pid: number, data: string): Promise<void> {
  for (const [signal, patience] of [
    ["SIGINT", 10_000],
    ["SIGQUIT", 5_000],
  ] as const) {
    if (!(await isPostmasterOf(pid, data))) return;
    process.kill(pid, signal);
    const until = Date.now() + patience;
    while (Date.now() < until && (await isPostmasterOf(pid, data))) await sleep(20);
  }
  if (await isPostmasterOf(pid, data))
    throw new StartError(`A database server of an earlier start (process ${pid}) does not end.`);
}

/** Postgres works inside its data directory, which tells it from any process that got its pid. */
async function isPostmasterOf(pid: number, data: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    if (process.platform === "linux")
      return (await readlink(`/proc/${pid}/cwd`)) === (await realpath(data));
    const { stdout } = await run("ps", ["-ww", "-o", "command=", "-p", String(pid)]);
    return stdout.includes(`-D ${data}`);
  } catch {
    return false;
  }
}
