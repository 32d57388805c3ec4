import { isTooLarge, smallFieldBytes } from "./events.ts";
import { hasExpired } from "./identity.ts";
import type {
  Binding,
  Change,
  Channel,
  Comparison,
  Filter,
  Relation,
  RowVersion,
  RowVersions,
  Subscriber,
  VisibilityQuery,
} from "./types.ts";

interface Subscription {
  channel: Channel;
  bindings: Binding[];
  subscriber: number;
}

export interface TableChanges {
  subscriptions: Subscription[];
  versions: Map<Change, RowVersions>;
  query: VisibilityQuery;
  /** Returns the index of a filter in `query.comparisons`, or undefined for an unknown column. */
  locate(filter: Filter): { comparison: number; value: number } | undefined;
}

/** Groups a batch by table. Omits changes without a subscription. */
export function groupByTable(
  batch: Change[],
  channels: ReadonlySet<Channel>,
  now: number,
): Map<Change, TableChanges> {
  const tables = new Map<Change, TableChanges>();
  for (const [relation, changes] of Map.groupBy(batch, (change) => change.relation)) {
    const table = tableChanges(relation, changes, channels, now);
    if (table) {
      for (const change of changes) {
        tables.set(change, table);
      }
    }
  }
  return tables;
}

function tableChanges(
  relation: Relation,
  changes: Change[],
  channels: ReadonlySet<Channel>,
  now: number,
): TableChanges | undefined {
  const subscribers = createIndex<Subscriber>();
  const subscriptions: Subscription[] = [];
  const types = new Set(changes.map(({ type }) => type));
  for (const channel of channels) {
    const bindings = channel.bindings.filter(
      ({ schema, table, event }) =>
        (schema === "*" || schema === relation.schema) &&
        (table === "*" || table === relation.table) &&
        (event === "*" || types.has(event)),
    );
    if (bindings.length > 0 && !hasExpired(channel.identity, now)) {
      const { role, claims } = channel.identity;
      const subscriber = subscribers.of(`${role}\n${claims}`, { role, claims });
      subscriptions.push({ channel, bindings, subscriber });
    }
  }
  if (subscriptions.length === 0) {
    return undefined;
  }

  const filters = subscriptions.flatMap(({ bindings }) => bindings.flatMap((b) => b.filters));
  const { comparisons, places } = groupFilters(filters, relation);
  const compared = new Set(comparisons.map(({ column }) => column));
  const rows: RowVersion[] = [];
  const add = (row: RowVersion, change: Change) =>
    rows.push(isTooLarge(change) ? withoutLargeFields(row, relation, compared) : row) - 1;
  const versions = new Map<Change, RowVersions>();
  for (const change of changes) {
    versions.set(change, {
      newRow: change.newRow && add(change.newRow, change),
      oldRow: change.oldRow && add(change.oldRow, change),
    });
  }
  return {
    subscriptions,
    versions,
    locate: (filter) => places.get(filter),
    query: {
      relation,
      xids: [...new Set(changes.map(({ xid }) => xid))],
      versions: rows,
      lookups: [...versions.values()].flatMap(({ newRow }) => newRow ?? []),
      comparisons,
      subscribers: subscribers.items,
    },
  };
}

function groupFilters(filters: Filter[], relation: Relation) {
  const comparisons = createIndex<Comparison>();
  const valuesOf: ReturnType<typeof createIndex<string>>[] = [];
  const places = new Map<Filter, { comparison: number; value: number }>();
  for (const filter of filters) {
    const { operator, negate, value } = filter;
    const column = relation.columns.findIndex(({ name }) => name === filter.column);
    if (column === -1) {
      continue;
    }
    const key = `${column} ${operator} ${negate}`;
    const comparison = comparisons.of(key, { column, operator, negate, values: [] });
    const values = (valuesOf[comparison] ??= createIndex(comparisons.items[comparison]?.values));
    places.set(filter, { comparison, value: values.of(value, value) });
  }
  return { comparisons: comparisons.items, places };
}

function createIndex<Item>(items: Item[] = []) {
  const places = new Map<string, number>();
  return {
    items,
    of(key: string, item: Item): number {
      const known = places.get(key);
      if (known !== undefined) {
        return known;
      }
      places.set(key, items.length);
      return items.push(item) - 1;
    },
  };
}

/** Replaces large fields by null, except those that the lookup and the filters need. */
function withoutLargeFields(
  row: RowVersion,
  relation: Relation,
  compared: ReadonlySet<number>,
): RowVersion {
  return row.map((value, index) =>
    relation.columns[index]?.identity ||
    compared.has(index) ||
    Buffer.byteLength(value ?? "") <= smallFieldBytes
      ? value
      : null,
  );
}
