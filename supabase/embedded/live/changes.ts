import { setTimeout as sleep } from "node:timers/promises";
import { Client } from "pg";
import type { Pools } from "#embedded/database.ts";
import type { Log } from "#embedded/log.ts";
import { disconnect } from "#embedded/sql.ts";

/** A committed change of a published table (triggers.sql). */
export interface Change {
  /** A reload stands for an update, or for an insert of more than 100 rows. */
  kind: "insert" | "reload";
  /** The inserted rows, at most 100. */
  ids: string[];
  /** With its schema, quoted. */
  table: string;
}

const firstPauseMs = 100;
const longestPauseMs = 5_000;

/**
 * Calls `onChange` with every change that commits from now on, until closed. Calls `onLost` when the
 * connection is lost: changes are missed until there is a new one. Rejects if the first connection fails.
 */
export async function hearChanges(
  { database, log }: { database: Pools; log: Log },
  onChange: OnChange,
  onLost: () => void,
): Promise<{ isConnected(): boolean; close(): Promise<void> }> {
  const closing = new AbortController();
  const { signal } = closing;
  let connection: Connection | undefined = await connect(database, onChange, signal);

  const hearOn = async () => {
    while (connection) {
      await connection.lost;
      connection = undefined;
      onLost();
      connection = await connectAgain();
    }
  };
  /** Tries ever more rarely. Returns undefined once it is closed. */
  async function connectAgain(): Promise<Connection | undefined> {
    for (let pauseMs = firstPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      await sleep(pauseMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) {
        return undefined;
      }
      try {
        const next = await connect(database, onChange, signal);
        log.warn("Live updates lost their connection to the database, and have a new one");
        return next;
      } catch (error) {
        // The code only: messages of database errors can contain rows.
        const { code } = error as { code?: string };
        log.warn("Live updates cannot connect to the database", { code });
      }
    }
  }
  const ended = hearOn();

  return {
    isConnected: () => connection !== undefined,
    async close() {
      closing.abort();
      await ended;
    },
  };
}

type OnChange = (change: Change) => void;

interface Connection {
  lost: Promise<void>;
}

async function connect(
  database: Pools,
  onChange: OnChange,
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
