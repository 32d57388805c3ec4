import { readFile } from "node:fs/promises";
import pLimit from "p-limit";
import type { Pools } from "#embedded/database.ts";
import { connectAsSuperuser, type SuperuserAccess } from "#embedded/engine/superuser.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import { verifyAccessToken } from "#embedded/tokens.ts";
import { type Change, hearChanges } from "./changes.ts";
import { Listener, type LiveEvents } from "./listener.ts";

export interface Live {
  /**
   * Tells the session of an access token of every change of a published table that commits from now on, in
   * the order of the commits. Ends if changes may have been missed. Returns the function that stops it.
   * Rejects if the token is refused, or if changes do not arrive now. Row level security decides whether the
   * session is still open.
   */
  listen(token: string, events: LiveEvents): Promise<() => void>;
  /** Whether changes arrive now. */
  isConnected(): boolean;
  close(): Promise<void>;
}

/** As many as the pool of the live updates has connections. */
const readersAtOnce = 4;

/** Starts the live updates. Migrations must have run. Rejects if the database does not answer. */
export async function createLive(options: {
  cluster: SuperuserAccess;
  database: Pools;
  keys: Keys;
  log: Log;
}): Promise<Live> {
  const { cluster, database, keys, log } = options;
  const published = await putTriggers(cluster);
  const listeners = new Set<Listener>();
  const pool = database.authenticator;
  const reading = { pool, log, inTurn: pLimit(readersAtOnce), listeners };
  const endAll = () => listeners.forEach((listener) => listener.end());
  const onChange = (change: Change) => {
    // Other texts may be sent to the channel by hand.
    if (published.has(change.table)) {
      listeners.forEach((listener) => listener.hear(change));
    }
  };
  const changes = await hearChanges(options, onChange, endAll);

  return {
    isConnected: changes.isConnected,
    async listen(token, events) {
      const verified = await verifyAccessToken(keys, token, Date.now());
      if (!verified.ok || verified.claims.role !== "authenticated") {
        throw new Error("The token is refused");
      }
      if (!changes.isConnected()) {
        throw new Error("Live updates have no connection to the database");
      }
      const listener = new Listener(verified.claims, events, reading);
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      await changes.close();
      endAll();
    },
  };
}

/** Makes the published tables notify of their changes. Returns their names. */
async function putTriggers(cluster: SuperuserAccess): Promise<ReadonlySet<string>> {
  const sql = connectAsSuperuser(cluster);
  try {
    const results = await sql.script(
      await readFile(new URL("triggers.sql", import.meta.url), "utf8"),
    );
    return new Set(results.at(-1)?.rows.map(({ published }) => String(published)));
  } finally {
    await sql.end();
  }
}
