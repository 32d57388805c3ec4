import { execFile } from "node:child_process";
import { createInterface } from "node:readline";
import { setTimeout as sleep } from "node:timers/promises";
import { promisify } from "node:util";
import { log } from "#app/lib/log.server.ts";
import { projectRoot } from "#app/server/settings.ts";
import type { BackupState } from "#app/site-contract.server.ts";
import manifest from "#package.json" with { type: "json" };
import { type BackupPlace, dayOf, listBackups } from "./backup-files.ts";

interface Nightly {
  state(): Promise<BackupState>;
  /** Stops the schedule and a running backup. */
  close(): Promise<void>;
}

const nightly = "The nightly backup";
const checkIntervalMs = 5 * 60_000;
const retryIntervalMs = 60 * 60_000;

/** Makes a backup if the newest one is of an earlier day: each night, or after a start. */
export function backUpNightly(place: BackupPlace, firstCheckMs = 10_000): Nightly {
  const stopping = new AbortController();
  const { signal } = stopping;
  let failed: { at: Date; fault: BackupState["fault"] } | undefined;

  const list = () => listBackups(place).catch(() => []);
  /** One that is dated after now was made while the clock was wrong, and is no backup of today. */
  const newest = async () => (await list()).find(({ at }) => at.getTime() <= Date.now())?.at;

  /** Returns the milliseconds until the next check. */
  async function backUpWhenDue(): Promise<number> {
    const last = await newest();
    if (last && dayOf(last) >= dayOf(new Date())) {
      return checkIntervalMs;
    }
    const reason = await runBackup(nightly, signal);
    if (reason === undefined) {
      log.info(`${nightly} is complete`);
      return checkIntervalMs;
    }
    if (!signal.aborted) {
      failed = { at: new Date(), fault: faultIn(reason) };
      log.error(`${nightly} failed`, { reason });
    }
    return retryIntervalMs;
  }

  /** False once it is stopped. */
  const wait = (ms: number) => sleep(ms, true, { signal, ref: false }).catch(() => false);

  async function repeat(): Promise<void> {
    for (let delay = firstCheckMs; await wait(delay);) {
      delay = await backUpWhenDue();
    }
  }

  const ended = repeat();
  return {
    async state() {
      const at = await newest();
      // A later backup, made by hand, clears the fault.
      return { at, fault: failed && !(at && at >= failed.at) ? failed.fault : undefined };
    },
    async close() {
      stopping.abort();
      await ended;
    },
  };
}

/** The cause in the reason of a failed run: the disk is full, the folder is not writable, or another. */
export function faultIn(reason: string): BackupState["fault"] {
  const [, code] = /: (E[A-Z]+): /.exec(reason) ?? [];
  if (code === undefined) {
    return "other";
  }
  return ["ENOSPC", "EDQUOT"].includes(code) ? "full" : "refused";
}

/**
 * Runs the command of `npm run backup`, without npm, which passes no signal on. Logs what the command prints.
 * It is a process of its own, so that it does not slow the site down. @param name says in the log which
 * backup it is
 * @returns why it failed, or undefined
 */
export async function runBackup(name: string, signal?: AbortSignal): Promise<string | undefined> {
  const [, ...args] = manifest.scripts.backup.split(" ");
  try {
    // This throws if there is no memory for a process.
    const running = promisify(execFile)(process.execPath, args, { cwd: projectRoot, signal });
    const { stdout } = running.child;
    if (stdout) {
      createInterface(stdout).on("line", (said) => log.info(name, { said }));
    }
    await running;
    return undefined;
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return stderr?.trim() || message;
  }
}
