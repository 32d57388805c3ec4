import { spawn } from "node:child_process";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { log } from "#app/lib/log.server.ts";
import type { BackupState } from "#app/site-contract.server.ts";
import { listBackups } from "./files.ts";
import type { BackupPlace } from "./place.ts";
import { faultOfExitCode } from "./write-error.ts";

export interface Nightly {
  state(): Promise<BackupState>;
  /** Stops the schedule and a running backup. */
  close(): Promise<void>;
}

interface Options {
  place: BackupPlace;
  timeZone: string;
  command: BackupCommand;
}

/** A program and its arguments, which makes a backup. Its own process does not slow the site down. */
export type BackupCommand = [string, ...string[]];

const nightly = "The nightly backup";
const firstCheckMs = 10_000;
const checkIntervalMs = 5 * 60_000;
const retryIntervalMs = 60 * 60_000;
const hourMs = 60 * 60_000;
const dayMs = 24 * hourMs;
/** The day of a backup begins at 03:00. */
const dayStartHour = 3;

/** Makes a backup if the newest one is of an earlier day: each night, or after a start. */
export function backUpNightly({ place, timeZone, command }: Options): Nightly {
  // Swedish dates are in ISO 8601, so they compare as strings.
  const date = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const dayOf = (at: Date) => date.format(at.getTime() - dayStartHour * hourMs);
  const stopping = new AbortController();
  let failed: { at: Date; fault: BackupState["fault"] } | undefined;
  let running = Promise.resolve();
  let timer = setTimeout(check, firstCheckMs).unref();

  const list = () => listBackups(place).catch(() => []);
  /** One from the future was made while the clock was wrong, and says nothing of today. */
  const newest = async () => (await list()).find(({ at }) => at.getTime() < Date.now() + dayMs)?.at;

  function check() {
    running = backUpAndWait();
  }

  async function backUpAndWait(): Promise<void> {
    const delay = await backUpWhenDue();
    timer = setTimeout(check, delay).unref();
  }

  async function backUpWhenDue(): Promise<number> {
    const last = await newest();
    if (last && dayOf(last) >= dayOf(new Date())) {
      return checkIntervalMs;
    }
    const { code, errors } = await runBackup(nightly, command, stopping.signal);
    if (stopping.signal.aborted) {
      return checkIntervalMs;
    }
    if (code === 0) {
      log.info(`${nightly} is complete`);
      return checkIntervalMs;
    }
    // Whole seconds, as in the names of backups.
    failed = { at: new Date(Math.floor(Date.now() / 1000) * 1000), fault: faultOfExitCode(code) };
    log.error(`${nightly} failed`, { reason: errors.trim() });
    return retryIntervalMs;
  }

  return {
    async state() {
      const at = await newest();
      // A later backup, made by hand, clears the fault.
      return { at, fault: failed && !(at && at >= failed.at) ? failed.fault : undefined };
    },
    async close() {
      stopping.abort();
      clearTimeout(timer);
      await running;
      clearTimeout(timer);
    },
  };
}

/** Runs the command and logs what it says. @param name says in the log which backup it is */
export async function runBackup(
  name: string,
  [file, ...args]: BackupCommand,
  signal?: AbortSignal,
): Promise<{ code: number; errors: string }> {
  const child = spawn(file, args, { stdio: ["ignore", "pipe", "pipe"] });
  const stop = () => child.kill();
  signal?.addEventListener("abort", stop);
  child.on("error", () => undefined);
  createInterface(child.stdout).on("line", (said) => log.info(name, { said }));
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [code, errors] = await Promise.all([closed, text(child.stderr)]);
  signal?.removeEventListener("abort", stop);
  return { code: code ?? 1, errors };
}
