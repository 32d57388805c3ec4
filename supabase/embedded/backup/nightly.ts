import { spawn } from "node:child_process";
import { text } from "node:stream/consumers";
import type { Log } from "#embedded/log.ts";
import { listBackups, type BackupPlace } from "./files.ts";
import { faultOfExitCode, type WriteFault } from "./write-error.ts";

export interface BackupState {
  /** The time of the newest backup, from its name. */
  at: Date | undefined;
  /** Why the last attempt failed, if no backup was made since. */
  fault: WriteFault | undefined;
}

export interface Nightly {
  state(): Promise<BackupState>;
  /** Ends a running backup. */
  close(): Promise<void>;
}

interface Options {
  place: BackupPlace;
  timeZone: string;
  /** The program and arguments that make a backup, as by hand: it must not slow the site down. */
  command: [string, ...string[]];
  log: Log;
}

const firstLook = 10_000;
const lookInterval = 5 * 60_000;
const retryInterval = 60 * 60_000;
const hour = 60 * 60_000;
/** A backup's day begins at 03:00. */
const dayBegins = 3;

/** Makes a backup whenever the newest is of a day before: each night, or after a start. */
export function backUpNightly({ place, timeZone, command, log }: Options): Nightly {
  // Swedish dates are ISO 8601: they compare as texts.
  const date = new Intl.DateTimeFormat("sv-SE", { timeZone });
  const dayOf = (at: Date) => date.format(at.getTime() - dayBegins * hour);
  const stopping = new AbortController();
  let failed: { at: Date; fault: WriteFault } | undefined;
  let running = Promise.resolve();
  let timer = setTimeout(look, firstLook).unref();

  const newest = async () => (await listBackups(place).catch(() => []))[0]?.at;

  function look() {
    running = backUpAndWait();
  }

  async function backUpAndWait(): Promise<void> {
    const delay = await backUpWhenDue();
    timer = setTimeout(look, delay).unref();
  }

  async function backUpWhenDue(): Promise<number> {
    const last = await newest();
    if (last && dayOf(last) >= dayOf(new Date())) {
      return lookInterval;
    }
    const { code, errors } = await run(command, stopping.signal);
    if (stopping.signal.aborted) {
      return lookInterval;
    }
    if (code === 0) {
      log.info("The nightly backup is complete");
      return lookInterval;
    }
    // In whole seconds, as backups are named.
    failed = { at: new Date(Math.floor(Date.now() / 1000) * 1000), fault: faultOfExitCode(code) };
    log.error("The nightly backup failed", { reason: errors.trim() });
    return retryInterval;
  }

  return {
    async state() {
      const at = await newest();
      // One that was made by hand since then counts.
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

async function run([file, ...args]: Options["command"], signal: AbortSignal) {
  const child = spawn(file, args, { stdio: ["ignore", "ignore", "pipe"] });
  const stop = () => child.kill();
  signal.addEventListener("abort", stop);
  child.on("error", () => undefined);
  const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
  const [code, errors] = await Promise.all([closed, text(child.stderr)]);
  signal.removeEventListener("abort", stop);
  return { code: code ?? 1, errors };
}
