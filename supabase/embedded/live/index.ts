import { readFile } from "node:fs/promises";
import pLimit from "p-limit";
import type { Database } from "#embedded/database.ts";
import { connectAsSuperuser, type SuperuserAccess } from "#embedded/engine/superuser.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import { hearChanges } from "./changes.ts";
import { Listener, type LiveEvents } from "./listener.ts";

export interface Live {
  /**
   * Tells a session of every change of a published table that commits from now on, in the order of
   * the commits. Its token may be renewed meanwhile. Returns the function that stops it. Rejects if
   * the token is refused or the database is away. Whether the session is still open is for row level
   * security to say.
   */
  listen(session: { readonly token: string }, events: LiveEvents): Promise<() => void>;
  close(): Promise<void>;
}

/** As many as the pool of the live updates has connections. */
const readersAtOnce = 4;

/** Starts the live updates. Migrations must have run. Rejects if the database does not answer. */
export async function createLive(options: {
  cluster: SuperuserAccess;
  database: Database;
  keys: Keys;
  log: Log;
}): Promise<Live> {
  const { cluster, database, keys, log } = options;
  const published = await putTriggers(cluster);
  const listeners = new Set<Listener>();
  const pool = database.authenticator;
  const reading = { keys, pool, log, inTurn: pLimit(readersAtOnce), listeners };
  let isAway = false;
  const endAll = () => {
    isAway = true;
    listeners.forEach((listener) => listener.end());
  };
  const changes = await hearChanges(options, {
    onChange(change) {
      // Other texts may be sent to the channel by hand.
      if (published.has(change.table)) {
        listeners.forEach((listener) => listener.hear(change));
      }
    },
    onGap() {
      isAway = false;
      listeners.forEach((listener) => listener.hear());
    },
    onAway: endAll,
  });

  return {
    async listen(session, events) {
      const listener = new Listener(session, events, reading);
      if ((await listener.claims()) === undefined) {
        throw new Error("The token is refused");
      }
      if (isAway) {
        throw new Error("The database is away");
      }
      listeners.add(listener);
      return () => void listeners.delete(listener);
    },
    async close() {
      endAll();
      await changes.close();
    },
  };
}

/** Makes the published tables tell of their changes. Returns their names. */
async function putTriggers(cluster: SuperuserAccess): Promise<ReadonlySet<string>> {
  const sql = connectAsSuperuser(cluster);
  try {
    await sql.script(await readFile(new URL("triggers.sql", import.meta.url), "utf8"));
    const tables = await sql<{ name: string }>`
      select format('%I.%I', schemaname, tablename) as name
      from pg_publication_tables where pubname = 'supabase_realtime'`;
    return new Set(tables.map(({ name }) => name));
  } finally {
    await sql.end();
  }
}
