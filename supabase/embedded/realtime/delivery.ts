import { setTimeout as sleep } from "node:timers/promises";
import pLimit from "p-limit";
import type { Database } from "#embedded/database.ts";
import type { Log } from "#embedded/log.ts";
import type { SqlPool } from "#embedded/sql.ts";
import { type Change, schema, tables } from "./capture.ts";
import { hasExpired, type Identity } from "./identity.ts";
import type { Subscription } from "./subscription.ts";

export interface DeliveryOptions {
  database: Database;
  subscriptions: ReadonlySet<Subscription>;
  log: Log;
}

/** As many as the pool has connections: one reader may be slow. */
const readersAtOnce = 4;

/**
 * Sends changes, in order, to the subscriptions whose account may see the row. Where that cannot be
 * found out, the event has `errors` and no row. Rejects if the database cannot be reached.
 */
export async function deliver(changes: Change[], options: DeliveryOptions): Promise<void> {
  const { database, subscriptions } = options;
  if (subscriptions.size > 0) {
    await untilVisible(database.authenticator, changes);
    await pLimit(readersAtOnce).map(subscriptions, (reader) => deliverTo(reader, changes, options));
  }
}

/** Waits for the end of the transactions: the log has them a moment before they can be seen. */
async function untilVisible(sql: SqlPool, changes: Change[]): Promise<void> {
  const xids = [...new Set(changes.map(({ xid }) => String(xid)))];
  const areVisible = async () => {
    const running = await sql`
      select from pg_locks where transactionid = any(${xids}::text[]::xid[]) and granted limit 1`;
    return running.length === 0;
  };
  while (!(await areVisible())) {
    await sleep(1);
  }
}

async function deliverTo(
  reader: Subscription,
  changes: Change[],
  { database, subscriptions, log }: DeliveryOptions,
): Promise<void> {
  const records = await readAs(database.authenticator, reader.identity, changes).catch(
    (error: { code?: string }) => {
      // The message is left out: it can quote values of a row.
      log.error("Realtime could not read rows as an account", { code: error.code });
      return undefined;
    },
  );
  for (const change of changes) {
    const record = records?.get(change.id);
    const isSent = records === undefined || record !== undefined;
    // The subscription may have ended meanwhile.
    if (isSent && subscriptions.has(reader) && !hasExpired(reader.identity)) {
      reader.sendChange(change, record);
    }
  }
}

/** Returns the rows of changes that an account may see, by id. Row level security decides. */
function readAs(
  pool: SqlPool,
  { claims }: Identity,
  changes: Change[],
): Promise<ReadonlyMap<string, object>> {
  return pool.begin(async (sql) => {
    await sql`select
      set_config('role', 'authenticated', true),
      set_config('request.jwt.claims', ${claims}, true)`;
    const records = new Map<string, object>();
    for (const table of tables) {
      const ids = changes.filter((change) => change.table === table).map(({ id }) => id);
      const rows = await sql.unsafe<{ id: string; record: object }>(
        `select id::text, to_jsonb(t) as record from ${schema}.${table} t where id = any($1::uuid[])`,
        [ids],
      );
      rows.forEach(({ id, record }) => records.set(id, record));
    }
    return records;
  }, "read only");
}
