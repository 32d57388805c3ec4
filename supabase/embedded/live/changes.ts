import { setTimeout as sleep } from "node:timers/promises";
import type { Database } from "#embedded/database.ts";
import type { Log } from "#embedded/log.ts";
import { disconnect, openClient } from "#embedded/sql.ts";

/** A committed change of a published table (triggers.sql). */
export interface Change {
  /** A reload stands for an update, or for so many rows that they are not told one by one. */
  kind: "insert" | "reload";
  /** At most 100. */
  ids: string[];
  /** With its schema, quoted. */
  table: string;
}

interface Hearer {
  onChange(change: Change): void;
  /** The connection was lost, and there is another one: changes may have been missed. */
  onGap(): void;
  /** The database does not accept a connection. It is asked again until `onGap`. */
  onAway(): void;
}

const retryDelaysMs = [0, 500, 1_000, 2_000];
const lastRetryDelayMs = 5_000;

/** Hears of every change that commits from now on, until closed. Rejects if the first connection fails. */
export async function hearChanges(
  { database, log }: { database: Database; log: Log },
  hearer: Hearer,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  const { signal } = closing;
  const connectOnce = () => connect(database, hearer, signal);

  const reconnect = async () => {
    for (let failures = 0; ; failures += 1) {
      const delayMs = retryDelaysMs[failures] ?? lastRetryDelayMs;
      await sleep(delayMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return undefined;
      }
      try {
        return await connectOnce();
      } catch (error) {
        // The code only: messages of database errors can contain rows.
        const { code } = error as { code?: string };
        log.warn("Live updates cannot connect to the database", { code });
        hearer.onAway();
      }
    }
  };

  const run = async (first: Connection) => {
    let connection: Connection | undefined = first;
    while (connection) {
      await connection.lost;
      connection = await reconnect();
      if (connection) {
        log.warn("Live updates lost their connection to the database, and have a new one");
        hearer.onGap();
      }
    }
  };
  const ended = run(await connectOnce());

  return {
    async close() {
      closing.abort();
      await ended;
    },
  };
}

interface Connection {
  lost: Promise<void>;
}

async function connect(
  database: Database,
  { onChange }: Hearer,
  signal: AbortSignal,
): Promise<Connection> {
  const client = await openClient(database.login("authenticator"));
  const lost = new Promise<void>((resolve) => client.once("end", resolve));
  client.on("notification", ({ payload = "" }) => {
    const [, kind, ids = "", table = ""] = /^(insert|reload) (\S+) (.+)$/s.exec(payload) ?? [];
    if (kind === "insert" || kind === "reload") {
      onChange({ kind, ids: ids.split(","), table });
    }
  });
  const close = () => disconnect(client);
  signal.addEventListener("abort", close);
  void lost.then(() => signal.removeEventListener("abort", close));
  try {
    signal.throwIfAborted();
    await client.query("listen changes");
  } catch (error) {
    close();
    throw error;
  }
  return { lost };
}
