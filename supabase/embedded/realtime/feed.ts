import { setTimeout as sleep } from "node:timers/promises";
import { type Database } from "../database.ts";
import { type Binding } from "./bindings.ts";
import { type Capture, openCapture } from "./capture.ts";
import { type Channel } from "./channel.ts";
import { type Checker, openChecker } from "./checker.ts";
import { deliver } from "./delivery.ts";

export interface Feed {
  /** Whether changes committed from now on will be delivered. */
  active(): boolean;
  /** The reason why a role cannot have a subscription, or undefined. Rejects when not active. */
  fault(binding: Binding, role: string): Promise<string | undefined>;
  close(): Promise<void>;
}

interface Session {
  capture: Capture;
  checker: Checker;
}

const RETRY_DELAYS_MS = [100, 500, 1_000, 2_000, 5_000];

/**
 * Delivers committed changes to `channels` until closed. When Postgres or one of the two
 * connections goes away, changes in the gap are lost: every channel is failed, so that its
 * client joins again and reads anew, and the feed reconnects. The first connection must succeed.
 */
export async function startFeed(
  database: Database,
  channels: ReadonlySet<Channel>,
  now: () => number,
  log: (line: string) => void,
): Promise<Feed> {
  const closing = new AbortController();
  let session: Session | undefined = await openSession(database);

  const run = async () => {
    while (!closing.signal.aborted) {
      session ??= await reopen(database, closing.signal, log);
      if (!session) {
        return;
      }
      try {
        while (true) {
          await deliver(await session.capture.take(), channels, session.checker, now, log);
        }
      } catch (error) {
        await closeSession(session);
        session = undefined;
        if (closing.signal.aborted) {
          return;
        }
        log(`Realtime lost the stream of changes and reconnects (${codeOf(error)}).`);
        for (const channel of channels) {
          channel.fail("The connection to the database was lost");
        }
      }
    }
  };
  const ended = run();

  return {
    active: () => session !== undefined,
    async fault(binding, role) {
      if (!session) {
        throw new Error("Realtime has no connection to the database");
      }
      return session.checker.fault(binding, role);
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
    // Without the one the other is of no use: the end of the stream ends the session.
    return { capture, checker: await openChecker(database, () => void capture.close()) };
  } catch (error) {
    await capture.close();
    throw error;
  }
}

async function reopen(
  database: Database,
  signal: AbortSignal,
  log: (line: string) => void,
): Promise<Session | undefined> {
  for (let failures = 0; !signal.aborted; failures += 1) {
    await sleep(RETRY_DELAYS_MS[failures] ?? 5_000, undefined, { signal }).catch(() => undefined);
    if (signal.aborted) {
      return undefined;
    }
    try {
      const session = await openSession(database);
      if (signal.aborted) {
        return void (await closeSession(session));
      }
      log("Realtime is connected again.");
      return session;
    } catch (error) {
      log(`Realtime cannot connect to the database (${codeOf(error)}).`);
    }
  }
  return undefined;
}

async function closeSession({ capture, checker }: Session): Promise<void> {
  await Promise.all([capture.close(), checker.close()]);
}

/** Messages of database errors can hold the text of rows; codes cannot. */
function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return String(code ?? name);
}
