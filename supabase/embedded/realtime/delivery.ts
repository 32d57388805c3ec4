import { setImmediate as nextTurn } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import type { Answer, Checker } from "./checker.ts";
import { hasExpired } from "./identity.ts";
import type { Change } from "./pgoutput.ts";
import type { Subscription } from "./subscription.ts";

const framesPerTurn = 1_000;

// SQLSTATE query_canceled, caused by statement_timeout.
const queryCanceled = "57014";

interface DeliveryOptions {
  subscriptions: ReadonlySet<Subscription>;
  checker: Checker;
  log: Log;
}

/**
 * Sends the changes of each table, in order, to the subscriptions whose account may see the row.
 * Where that cannot be found out, the event has `errors` and no row. Rejects if the database fails.
 */
export async function deliver(batch: Change[], options: DeliveryOptions): Promise<void> {
  const { subscriptions, checker, log } = options;
  for (const [relation, changes] of Map.groupBy(batch, (change) => change.relation)) {
    const readers = [...subscriptions].filter(
      (reader) => reader.matching({ relation }).length > 0 && !hasExpired(reader.identity),
    );
    if (readers.length === 0) {
      continue;
    }
    for await (const { asked, answer } of check(changes, readers, checker)) {
      if (answer.failed.length > 0) {
        const codes = [...new Set(answer.failed)].join(", ");
        log.error(`Realtime: ${answer.failed.length} policies failed`, {
          table: relation.table,
          codes,
        });
      }
      await send(changes, asked, answer, subscriptions);
    }
  }
}

/** Asks for all readers at once; if that takes too long, for each alone: one may be slow. */
async function* check(
  changes: Change[],
  readers: Subscription[],
  checker: Checker,
): AsyncGenerator<{ asked: Subscription[]; answer: Answer }> {
  const claims = readers.map(({ identity }) => identity.claims);
  const answer = await checker.check(changes, claims).catch((error: unknown) => {
    if ((error as { code?: unknown }).code !== queryCanceled) {
      throw error;
    }
    return undefined;
  });
  if (answer) {
    yield { asked: readers, answer };
  } else if (readers.length === 1) {
    const unknown = { columns: [], records: {}, visible: [null], failed: [queryCanceled] };
    yield { asked: readers, answer: unknown };
  } else {
    for (const reader of readers) {
      yield* check(changes, [reader], checker);
    }
  }
}

async function send(
  changes: Change[],
  readers: Subscription[],
  answer: Answer,
  subscriptions: ReadonlySet<Subscription>,
): Promise<void> {
  const visible = answer.visible.map((rows) => rows && new Set(rows));
  let frames = 0;
  for (const [row, change] of changes.entries()) {
    const whole = eventData(change, answer, row);
    const unknown = eventData(change);
    for (const [index, reader] of readers.entries()) {
      const seen = visible[index];
      const ids = reader.matching(change);
      const isSent = ids.length > 0 && (!seen || seen.has(row));
      // The subscription may have ended during the check.
      if (isSent && subscriptions.has(reader) && !hasExpired(reader.identity)) {
        reader.sendChange(ids, seen ? whole : unknown);
        frames += 1;
      }
    }
    if (frames >= framesPerTurn) {
      frames = 0;
      await nextTurn();
    }
  }
}

/** Returns `data` of a change's event as JSON text, without its row if that is not known. */
function eventData(
  { relation: { schema, table }, type, commitTimestamp }: Change,
  { columns, records }: Pick<Answer, "columns" | "records"> = { columns: [], records: {} },
  row = -1,
): string {
  const record = records[row];
  const errors = record === undefined ? ["The row could not be read"] : null;
  const head = { schema, table, type, commit_timestamp: commitTimestamp };
  return JSON.stringify({ ...head, columns, record: record ?? {}, errors });
}
