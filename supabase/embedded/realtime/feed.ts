import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#embedded/database.ts";
import type { Log } from "#embedded/log.ts";
import { type Capture, openCapture } from "./capture.ts";
import { type Checker, openChecker } from "./checker.ts";
import { deliver } from "./delivery.ts";
import type { Subscription } from "./subscription.ts";

interface Session {
  capture: Capture;
  checker: Checker;
}

interface FeedOptions {
  database: Database;
  subscriptions: ReadonlySet<Subscription>;
  log: Log;
}

export interface Feed {
  /** Whether changes that commit from now on will be delivered. */
  isActive(): boolean;
  /** Whether the changes of all tables are in the log. Rejects when not active. */
  arePublished: Checker["arePublished"];
  close(): Promise<void>;
}

const retryDelaysMs = [100, 500, 1_000, 2_000];
const lastRetryDelayMs = 5_000;

/**
 * Delivers committed changes to `subscriptions` until closed. Rejects if the first connection fails.
 * After a lost connection it reconnects and fails them all: clients join again and reload.
 */
export async function startFeed(options: FeedOptions): Promise<Feed> {
  const { database, subscriptions, log } = options;
  const closing = new AbortController();
  let session: Session | undefined = await openSession(database);

  const run = async () => {
    while (!closing.signal.aborted) {
      session ??= await reopen(options, closing.signal);
      if (!session) {
        return;
      }
      try {
        const { capture, checker } = session;
        while (true) {
          await deliver(await capture.take(), { subscriptions, checker, log });
        }
      } catch (error) {
        await closeSession(session);
        session = undefined;
        if (closing.signal.aborted) {
          return;
        }
        log.warn("Realtime lost the stream of changes and reconnects", { code: codeOf(error) });
        for (const subscription of subscriptions) {
          subscription.fail("The connection to the database was lost");
        }
      }
    }
  };
  const ended = run();

  return {
    isActive: () => session !== undefined,
    async arePublished(tables) {
      if (!session) {
        throw new Error("Realtime has no connection to the database");
      }
      return session.checker.arePublished(tables);
    },
    async close() {
      closing.abort();
      if (session) {
        await closeSession(session);
      }
      await ended;
    },
  };
}

async function openSession(database: Database): Promise<Session> {
  const capture = await openCapture(database);
  try {
    return { capture, checker: await openChecker(database, () => void capture.close()) };
  } catch (error) {
    await capture.close();
    throw error;
  }
}

async function reopen(
  { database, log }: FeedOptions,
  signal: AbortSignal,
): Promise<Session | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    const delayMs = retryDelaysMs[failures] ?? lastRetryDelayMs;
    await sleep(delayMs, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      return undefined;
    }
    try {
      const session = await openSession(database);
      if (signal.aborted) {
        return void (await closeSession(session));
      }
      log.warn("Realtime is connected again");
      return session;
    } catch (error) {
      log.warn("Realtime cannot connect to the database", { code: codeOf(error) });
    }
  }
  return undefined;
}

async function closeSession({ capture, checker }: Session): Promise<void> {
  await Promise.all([capture.close(), checker.close()]);
}

/** Returns the code only: messages of database errors can contain rows. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
