import { notCovered, notEmbedded, outOfRange, RestError, tooMuch } from "#embedded/rest/errors.ts";
import { bounds } from "./bounds.ts";
import { type Condition, readComparison, readGroup } from "./conditions.ts";
import { takeColumn, takeName, takeNames } from "./names.ts";
import { type OrderTerm, readOrder } from "./order.ts";
import type { Pair } from "./pairs.ts";
import { Scanner } from "./scanner.ts";
import { readSelect, type SelectItem } from "./select.ts";

/** A parsed query. Its names and values are not validated yet. */
export interface Query {
  select: SelectItem[];
  conditions: Condition[];
  order: OrderTerm[];
  limit: number | undefined;
  offset: number;
  hasRange: boolean;
  columns: string[] | undefined;
  onConflict: string[] | undefined;
  /** Arguments of a function that is called with GET. */
  args: Map<string, string>;
}

/**
 * Parses a query. For repeated `limit` and `offset` the last counts, for other keys the first. With
 * `hasArgs`, a pair whose value is not a filter is an argument. Throws RestError.
 */
export function readQuery(pairs: readonly Pair[], hasArgs: boolean): Query {
  const first = new Map(pairs.toReversed());
  const last = new Map(pairs);
  const select = readSelect(first.get("select") ?? "");
  const order = first.has("order") ? readOrder(first.get("order") ?? "") : [];
  const limit = readInteger("limit", last.get("limit"));
  const offset = Math.max(0, readInteger("offset", last.get("offset")) ?? 0);
  if (limit !== undefined && limit < 0) {
    throw outOfRange("Limit should be greater than or equal to zero.");
  }
  if (order.length > bounds.orderTerms) {
    throw tooMuch(`An order has ${bounds.orderTerms} columns at most`);
  }
  const query: Query = {
    select,
    conditions: [],
    order,
    limit,
    offset,
    hasRange: last.has("limit") || last.has("offset"),
    columns: readNames("columns", first.get("columns")),
    onConflict: readNames("on_conflict", first.get("on_conflict")),
    args: new Map(),
  };
  for (const pair of pairs) {
    readFilter(query, pair, hasArgs);
  }
  if (countFilters(query.conditions) > bounds.filters) {
    throw tooMuch(`A request has ${bounds.filters} filters at most`);
  }
  return query;
}

const readOnce = new Set(["select", "columns", "on_conflict", "order", "limit", "offset"]);

function readFilter(query: Query, [key, value]: Pair, hasArgs: boolean): void {
  if (readOnce.has(key)) {
    return;
  }
  const [, path, word] = /^(?:(.*)\.)?(order|limit|offset|and|or)$/s.exec(key) ?? [];
  if (word === "and" || word === "or") {
    if (path !== undefined && path !== "not") {
      throw notEmbedded(path);
    }
    query.conditions.push(readGroup(word, path === "not", value));
  } else if (word !== undefined) {
    throw notEmbedded(path ?? "");
  } else if (hasArgs && !isFilter(value)) {
    query.args.set(key, value);
  } else {
    query.conditions.push(readComparison(readColumn(key), value));
  }
}

function isFilter(value: string): boolean {
  try {
    readComparison("", value);
    return true;
  } catch (error) {
    if (error instanceof RestError && error.code === "PGRST100") {
      return false;
    }
    throw error;
  }
}

function readColumn(key: string): string {
  const scanner = new Scanner("filter", key);
  const column = takeColumn(scanner);
  if (scanner.take(".")) {
    takeName(scanner);
    throw notEmbedded(column);
  }
  if (scanner.startsWith("(")) {
    throw notCovered("Embedding of other tables");
  }
  scanner.expectEnd();
  return column;
}

function readNames(what: string, text: string | undefined): string[] | undefined {
  return text === undefined ? undefined : takeNames(new Scanner(`${what} parameter`, text));
}

function readInteger(what: string, text: string | undefined): number | undefined {
  if (text === undefined) {
    return undefined;
  }
  const value = /^-?\d+$/.test(text) ? Number(text) : Number.NaN;
  return Number.isSafeInteger(value) ? value : new Scanner(what, text).fail("integer");
}

function countFilters(conditions: readonly Condition[]): number {
  return conditions.reduce(
    (sum, condition) => sum + ("members" in condition ? countFilters(condition.members) : 1),
    0,
  );
}
