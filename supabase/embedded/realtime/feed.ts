import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#embedded/database.ts";
import { type Capture, openCapture } from "./capture.ts";
import { failChannel } from "./channel.ts";
import { type Checker, openChecker } from "./checker.ts";
import { deliver } from "./delivery.ts";
import type { Context, Feed } from "./types.ts";

interface Session {
  capture: Capture;
  checker: Checker;
}

type FeedOptions = Pick<Context, "database" | "channels" | "now" | "log">;

const retryDelaysMs = [100, 500, 1_000, 2_000];
const lastRetryDelayMs = 5_000;

/**
 * Delivers committed changes to `channels` until closed. Rejects if the first connection fails.
 * After a lost connection it reconnects and fails every channel: clients rejoin and reload.
 */
export async function startFeed(options: FeedOptions): Promise<Feed> {
  const { database, channels, now, log } = options;
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
          await deliver(await capture.take(), { channels, checker, now, log });
        }
      } catch (error) {
        await closeSession(session);
        session = undefined;
        if (closing.signal.aborted) {
          return;
        }
        log.warn("Realtime lost the stream of changes and reconnects", { code: codeOf(error) });
        for (const channel of channels) {
          failChannel(channel, channels, "The connection to the database was lost");
        }
      }
    }
  };
  const ended = run();

  return {
    isActive: () => session !== undefined,
    async subscriptionError(binding, role) {
      if (!session) {
        throw new Error("Realtime has no connection to the database");
      }
      return session.checker.subscriptionError(binding, role);
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
