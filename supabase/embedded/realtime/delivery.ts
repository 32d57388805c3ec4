import { setImmediate as nextTurn } from "node:timers/promises";
import type { Log } from "#embedded/log.ts";
import type { Checker } from "./checker.ts";
import { accessOf, eventData } from "./events.ts";
import { hasExpired } from "./identity.ts";
import { encodeRaw } from "./protocol.ts";
import type { Binding, Change, Channel, Connection, VisibilityResult } from "./types.ts";
import { groupByTable, type TableChanges } from "./visibility-query.ts";

const framesPerTurn = 1_000;

// SQLSTATE query_canceled, caused by statement_timeout.
const queryCanceled = "57014";

interface DeliveryOptions {
  channels: ReadonlySet<Channel>;
  checker: Checker;
  now: () => number;
  log: Log;
}

/**
 * Sends each change, in order, to the subscribed channels that may see it. A query that times out is
 * split in half, so that a slow policy affects no other channel. Rejects if the checker fails.
 */
export async function deliver(batch: Change[], options: DeliveryOptions): Promise<void> {
  try {
    await deliverAtOnce(batch, options);
  } catch (error) {
    if ((error as { code?: unknown }).code !== queryCanceled || batch.length === 1) {
      throw error;
    }
    const half = Math.ceil(batch.length / 2);
    await deliver(batch.slice(0, half), options);
    await deliver(batch.slice(half), options);
  }
}

async function deliverAtOnce(batch: Change[], options: DeliveryOptions): Promise<void> {
  const { channels, checker, now, log } = options;
  const tables = groupByTable(batch, channels, now());
  const framesOf = new Map<TableChanges, ReturnType<typeof createFrames>>();
  for (const table of new Set(tables.values())) {
    const result = await checker.check(table.query);
    if (!result) {
      continue;
    }
    framesOf.set(table, createFrames(table, result));
    const failed = [...result.filters.failed, ...result.visibility.failed];
    if (failed.length > 0) {
      const codes = [...new Set(failed)].join(", ");
      log.error(`Realtime: ${failed.length} filters or policies failed`, {
        table: table.query.relation.table,
        codes,
      });
    }
  }

  const corked = new Set<Connection>();
  let frames = 0;
  const flush = () => {
    for (const connection of corked) {
      connection.uncork();
    }
    corked.clear();
    frames = 0;
  };
  for (const change of batch) {
    const table = tables.get(change);
    const framesFor = table && framesOf.get(table);
    if (!framesFor) {
      continue;
    }
    for (const { channel, frame } of framesFor(change)) {
      const { connection } = channel;
      if (!channels.has(channel) || hasExpired(channel.identity, now())) {
        continue;
      }
      if (!corked.has(connection)) {
        connection.cork();
        corked.add(connection);
      }
      connection.sendFrame(frame);
      frames += 1;
    }
    if (frames >= framesPerTurn) {
      flush();
      await nextTurn();
    }
  }
  flush();
}

function createFrames(
  { subscriptions, versions, query, locate }: TableChanges,
  result: VisibilityResult,
) {
  const visible = result.visibility.visible.map((list) => new Set(list));
  const passes = (binding: Binding, version: number | undefined) =>
    binding.filters.every((filter) => {
      const place = locate(filter);
      if (!place || version === undefined) {
        return false;
      }
      return result.filters.passed[place.comparison]?.[place.value]?.includes(version) ?? false;
    });

  return function* framesFor(change: Change): Generator<{ channel: Channel; frame: Buffer }> {
    const { newRow, oldRow } = versions.get(change) ?? { newRow: undefined, oldRow: undefined };
    const { type } = change;
    const accessByRole = new Map<string, ReturnType<typeof accessOf>>();
    const dataByKey = new Map<string, string>();
    const frames = new Map<string, Buffer>();

    for (const { channel, subscriber, bindings } of subscriptions) {
      const role = query.subscribers[subscriber]?.role ?? "";
      const access = memoize(accessByRole, role, () => accessOf(result, role, type));
      if (access === "none") {
        continue;
      }
      const isChecked = access === "rows" && result.secured && type !== "DELETE";
      if (isChecked && !visible[subscriber]?.has(newRow ?? -1)) {
        continue;
      }
      const matching = bindings.filter(
        (binding) =>
          (binding.event === "*" || binding.event === type) &&
          (access === "error" || passes(binding, type === "DELETE" ? oldRow : newRow)),
      );
      for (const [columns, { ids, select }] of groupBySelect(matching)) {
        const { topic, connection } = channel;
        const { serializer } = connection;
        const key = `${serializer} ${role} ${columns} ${ids.join(",")} ${topic}`;
        const frame = memoize(frames, key, () => {
          const data = memoize(dataByKey, `${role} ${columns}`, () =>
            eventData(change, { newRow, oldRow }, result, role, select),
          );
          return encodeRaw(serializer, {
            joinRef: null,
            ref: null,
            topic,
            event: "postgres_changes",
            payload: `{"ids":[${ids.join(",")}],"data":${data}}`,
          });
        });
        yield { channel, frame };
      }
    }
  };
}

function memoize<Value>(known: Map<string, Value>, key: string, make: () => Value): Value {
  const value = known.get(key) ?? make();
  known.set(key, value);
  return value;
}

function groupBySelect(bindings: Binding[]) {
  const groups = new Map<string, { ids: number[]; select: string[] | undefined }>();
  for (const { id, select } of bindings) {
    memoize(groups, select ? JSON.stringify(select) : "*", () => ({ ids: [], select })).ids.push(
      id,
    );
  }
  return groups;
}
