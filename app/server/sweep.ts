import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

type Call = (name: string) => Promise<unknown>;
/**
 * Deletes a batch of what is old enough. Returns how many rows. `now` is for what the database has no
 * time of: the time of its clock or of this machine's, whichever is behind.
 */
export type Sweep = (now: number) => Promise<number>;

const firstMs = 10_000;
const dailyMs = 23 * 60 * 60 * 1000; // Addresses are kept for two days: counts last one at most.
const againMs = 50 * 60 * 1000;

const countSchema = z.int();
const dateSchema = z.object({
  state: z.enum(["trusted", "waits", "asks"]),
  database_time: z.iso.datetime({ offset: true }),
  trusted_time: z.string(),
});

const remedies = {
  waits: "It is trusted if it still agrees in 20 hours",
  asks: "Set the clock, or confirm the date on /admin as the inbox's owner, who must have claimed it",
};

/** The sweep of a database function, which only the site may call. */
export const sweepOf =
  (call: Call, name: string): (() => Promise<number>) =>
  async () =>
    countSchema.parse(await call(name));

/**
 * Deletes by age soon and then every 23 hours, or within the hour after a failure and while the
 * database's date is in doubt.
 * @param others sweeps besides those of each database
 * @param mayCall whether the database answers the site; if not, it says why, and nothing is swept
 * @returns a function that stops it after the current batch
 */
export function startSweeps(
  call: Call,
  others: Record<string, Sweep>,
  mayCall = async () => true,
): () => Promise<void> {
  const sweeps: Record<string, Sweep> = {
    messages: sweepOf(call, "sweep_messages"),
    changes: sweepOf(call, "sweep_changes"),
    ...others,
  };
  const stopping = new AbortController();
  let running = Promise.resolve();
  let timer = setTimeout(run, firstMs).unref();

  function run() {
    running = sweepAndWait();
  }

  async function sweepAndWait(): Promise<void> {
    const isDone = await sweepAll();
    timer = setTimeout(run, isDone ? dailyMs : againMs).unref();
  }

  /** Returns whether nothing failed and the date is not in doubt. */
  async function sweepAll(): Promise<boolean> {
    // If it does not answer, each sweep says so.
    if (!(await mayCall().catch(() => true))) {
      return false;
    }
    const deleted: Record<string, number> = {};
    const sweepOne = async (name: string, sweep: () => Promise<number>): Promise<boolean> => {
      try {
        let batch: number;
        do {
          batch = await sweep();
          deleted[name] = (deleted[name] ?? 0) + batch;
        } while (batch > 0 && !stopping.signal.aborted);
        return true;
      } catch (error) {
        log.error("A daily sweep failed, and is tried again within the hour", {
          sweep: name,
          reason: reasonOf(error),
        });
        return false;
      }
    };
    // Not by age alone: an expired count has no effect, and holds an address.
    let isDone = await sweepOne("attempts", sweepOf(call, "sweep_attempts"));
    const now = await trustedTime(call);
    if (now !== undefined) {
      for (const [name, sweep] of Object.entries(sweeps)) {
        isDone = (stopping.signal.aborted || (await sweepOne(name, () => sweep(now)))) && isDone;
      }
    } else {
      isDone = false;
    }
    log.info("The daily sweep has deleted what is older than it is kept", deleted);
    return isDone;
  }

  return async () => {
    stopping.abort();
    clearTimeout(timer);
    await running;
    clearTimeout(timer);
  };
}

/** The time that may be used, undefined while it is in doubt. */
async function trustedTime(call: Call): Promise<number | undefined> {
  try {
    const date = dateSchema.parse(await call("check_date"));
    const { state, database_time: now, trusted_time: before } = date;
    if (state === "trusted") {
      return Math.min(Date.parse(now), Date.now());
    }
    const remedy = remedies[state];
    log.warn("The date is in doubt: nothing is deleted by its age", { now, before, remedy });
  } catch (error) {
    log.error("The date was not checked: nothing is deleted by its age", {
      reason: reasonOf(error),
    });
  }
  return undefined;
}

const reasonOf = (error: unknown) => (error instanceof Error ? error.message : "no Error");
