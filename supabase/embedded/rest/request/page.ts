import { notCovered, outOfRange, tooMuch } from "#embedded/rest/errors.ts";
import { bounds } from "./bounds.ts";
import type { Query } from "./query.ts";

export interface Page {
  limit: number;
  offset: number;
}

/** Combines `limit`, `offset` and Range. Throws 400 above 1,000 rows, 416 for an empty range. */
export function readPage(query: Query, range: string | null): Page {
  const [, first, last] = /^(\d{1,15})-(\d{1,15})?$/.exec(range ?? "") ?? [];
  const start = Math.max(query.offset, Number(first ?? 0));
  const ends = [
    ...(query.limit === undefined ? [] : [query.offset + query.limit]),
    ...(last === undefined ? [] : [Number(last) + 1]),
  ];
  if (first !== undefined && last !== undefined && Number(first) > Number(last)) {
    throw outOfRange(
      "The lower boundary must be lower than or equal to the upper boundary in the Range header.",
    );
  }
  const limit = ends.length === 0 ? bounds.rowsOut : Math.max(0, Math.min(...ends) - start);
  if (limit > bounds.rowsOut) {
    throw tooMuch(`A request reads ${bounds.rowsOut} rows at most`);
  }
  return { limit, offset: start };
}

/** Throws for a limit on a write. PostgREST ignores it; applied, it would pick arbitrary rows. */
export function refusePage({ hasRange }: Query): void {
  if (hasRange) {
    throw notCovered("A limit or offset in a request that writes");
  }
}
