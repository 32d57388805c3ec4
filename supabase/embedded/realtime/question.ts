import { type Binding, type Filter } from "./bindings.ts";
import { type Channel, hasExpired } from "./channel.ts";
import { type Comparison, type Group, type Question } from "./checker.ts";
import { type Images, isTooLarge, SMALL_FIELD_BYTES } from "./events.ts";
import { type Change, type Relation, type Row } from "./pgoutput.ts";

/** A channel with its bindings to one table, and where its claims stand in the question. */
export interface Interest {
  channel: Channel;
  group: number;
  bindings: Binding[];
}

/** The changes of one table, those who want to hear of them, and what to ask the database. */
export interface Part {
  images: Map<Change, Images>;
  interests: Interest[];
  /** Where a filter stands among the comparisons; undefined: its column is not in the table. */
  place(filter: Filter): { comparison: number; value: number } | undefined;
  question: Question;
}

/** Sorts a batch by table. Changes that nobody asked for are left out. */
export function partition(
  batch: Change[],
  channels: ReadonlySet<Channel>,
  now: number,
): Map<Change, Part> {
  const parts = new Map<Change, Part>();
  for (const [relation, changes] of Map.groupBy(batch, (change) => change.relation)) {
    const part = partOf(relation, changes, channels, now);
    if (part) {
      for (const change of changes) {
        parts.set(change, part);
      }
    }
  }
  return parts;
}

function partOf(
  relation: Relation,
  changes: Change[],
  channels: ReadonlySet<Channel>,
  now: number,
): Part | undefined {
  const groups = createIndex<Group>();
  const comparisons = createIndex<Comparison>();
  const valuesOf: ReturnType<typeof createIndex<string>>[] = [];
  const places = new Map<Filter, { comparison: number; value: number }>();
  const filtered = new Set<number>();
  const interests: Interest[] = [];
  const types = new Set(changes.map(({ type }) => type));

  for (const channel of channels) {
    const bindings = channel.bindings.filter(
      ({ schema, table, event }) =>
        (schema === "*" || schema === relation.schema) &&
        (table === "*" || table === relation.table) &&
        (event === "*" || types.has(event)),
    );
    if (bindings.length === 0 || hasExpired(channel.identity, now)) {
      continue;
    }
    const { role, claims } = channel.identity;
    interests.push({ channel, bindings, group: groups.of(`${role}\n${claims}`, { role, claims }) });
    for (const filter of bindings.flatMap(({ filters }) => filters)) {
      const { operator, negate, value } = filter;
      const column = relation.columns.findIndex(({ name }) => name === filter.column);
      if (column === -1) {
        continue;
      }
      const key = `${column} ${operator} ${negate}`;
      const comparison = comparisons.of(key, { column, operator, negate, values: [] });
      const values = (valuesOf[comparison] ??= createIndex(comparisons.items[comparison]?.values));
      places.set(filter, { comparison, value: values.of(value, value) });
      filtered.add(column);
    }
  }
  if (interests.length === 0) {
    return undefined;
  }

  const rows: Row[] = [];
  const add = (row: Row, change: Change) =>
    rows.push(isTooLarge(change) ? withoutLargeFields(row, relation, filtered) : row) - 1;
  const images = new Map<Change, Images>();
  for (const change of changes) {
    images.set(change, {
      row: change.row && add(change.row, change),
      old: change.old && add(change.old, change),
    });
  }
  const check = [...images.values()].flatMap(({ row }) => row ?? []);
  return {
    images,
    interests,
    place: (filter) => places.get(filter),
    question: {
      relation,
      xids: [...new Set(changes.map(({ xid }) => xid))],
      images: rows,
      check,
      comparisons: comparisons.items,
      groups: groups.items,
    },
  };
}

/** Numbers things by a key, in order of appearance. */
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

/** Keeps what the database needs to find and to filter the row; the rest is not sent anyway. */
function withoutLargeFields(row: Row, relation: Relation, filtered: Set<number>): Row {
  return row.map((value, index) =>
    relation.columns[index]?.identity ||
    filtered.has(index) ||
    Buffer.byteLength(value ?? "") <= SMALL_FIELD_BYTES
      ? value
      : null,
  );
}
