import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#embedded/database.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import { Connection, type Context } from "./connection.ts";
import { startFeed } from "./feed.ts";
import { activeSessions, hasExpired } from "./identity.ts";
import type { Subscription } from "./subscription.ts";
import { type Transport, transportTo } from "./transport.ts";

interface Realtime {
  /** For clients in this process. */
  transport: Transport;
  /** Closes every connection with 1012, after which clients reconnect. Later ones are refused. */
  close(): Promise<void>;
}

const sweepMs = 5_000;

/** Serves the inserts and updates of publication supabase_realtime. Rejects if the database does not answer. */
export async function createRealtime(options: {
  database: Database;
  keys: Keys;
  log: Log;
}): Promise<Realtime> {
  const subscriptions = new Set<Subscription>();
  const feed = await startFeed({ ...options, subscriptions });
  const context: Context = { ...options, subscriptions, feed };
  const connections = new Set<Connection>();
  const stopped = new AbortController();
  const swept = sweep(context, stopped.signal);

  return {
    transport: transportTo((client) => {
      const connection = new Connection(context, {
        deliver: client.deliver,
        close(code, reason) {
          connections.delete(connection);
          client.close(code, reason);
        },
      });
      if (stopped.signal.aborted) {
        connection.close(1012, "service restart");
      } else {
        connections.add(connection);
      }
      return connection;
    }),
    async close() {
      stopped.abort();
      for (const connection of connections) {
        connection.close(1012, "service restart");
      }
      await swept;
      await feed.close();
    },
  };
}

/** Ends the subscriptions of expired tokens and of ended sessions, every few seconds until stopped. */
async function sweep(
  { subscriptions, database, log }: Context,
  signal: AbortSignal,
): Promise<void> {
  while (!signal.aborted) {
    await sleep(sweepMs, undefined, { signal }).catch(() => undefined);
    const checked = new Map([...subscriptions].map((entry) => [entry, entry.identity.sessionId]));
    const active = await activeSessions(database, [...checked.values()]).catch((error: unknown) => {
      log.error("Realtime could not look up the sessions", { error: (error as Error).name });
      return undefined;
    });
    for (const [subscription, sessionId] of checked) {
      const { identity } = subscription;
      if (hasExpired(identity)) {
        subscription.close("The token has expired");
        // A new token may have arrived during the query. Its session was checked then.
      } else if (active?.has(sessionId) === false && identity.sessionId === sessionId) {
        subscription.close("The session of the token has ended");
      }
    }
  }
}
