import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Pools } from "#embedded/database.ts";
import type { Log } from "#embedded/log.ts";
import { disconnect } from "#embedded/sql.ts";

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
  /** Without a change: the connection was lost, and there is another one. Some may have been missed. */
  onChange(change?: Change): void;
  /** The database does not accept a connection. It is asked again until `onChange`. */
  onAway(): void;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/** Hears of every change that commits from now on, until closed. Rejects if the first connection fails. */
export async function hearChanges(
  { database, log }: { database: Pools; log: Log },
  hearer: Hearer,
): Promise<{ close(): Promise<void> }> {
  const closing = new AbortController();
  const { signal } = closing;

  const hearOn = async ({ lost }: Connection) => {
    await lost;
    for (let pauseMs = firstPauseMs; ;) {
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return;
      }
      try {
        const next = await connect(database, hearer, signal);
        log.warn("Live updates lost their connection to the database, and have a new one");
        hearer.onChange();
        pauseMs = firstPauseMs;
        await next.lost;
      } catch (error) {
        // The code only: messages of database errors can contain rows.
        const { code } = error as { code?: string };
        log.warn("Live updates cannot connect to the database", { code });
        hearer.onAway();
        pauseMs = Math.min(pauseMs * 2, longestPauseMs);
      }
    }
  };
  const ended = hearOn(await connect(database, hearer, signal));

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
  database: Pools,
  { onChange }: Hearer,
  signal: AbortSignal,
): Promise<Connection> {
  const client = new Client(database.login("authenticator"));
  // Without a listener a broken connection would end the process.
  client.on("error", () => undefined);
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
    await client.connect();
    await client.query("listen changes");
  } catch (error) {
    close();
    throw error;
  }
  return { lost };
}
