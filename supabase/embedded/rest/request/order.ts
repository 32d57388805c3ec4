import { notCovered } from "#embedded/rest/errors.ts";
import { directions, nullsOrders } from "#embedded/rest/statement/operators.ts";
import { type Sql, sql } from "#embedded/rest/statement/sql.ts";
import { takeColumn } from "./names.ts";
import { Scanner } from "./scanner.ts";

export interface OrderTerm {
  column: string;
  direction: Sql;
  nulls: Sql;
}

/** Parses `order`: `column[.asc|.desc][.nullsfirst|.nullslast]`, comma-separated. */
export function readOrder(text: string): OrderTerm[] {
  const scanner = new Scanner("order", text);
  const terms: OrderTerm[] = [];
  do {
    const column = takeColumn(scanner);
    if (scanner.startsWith("(")) {
      throw notCovered("Embedding of other tables");
    }
    const direction = takeWord(scanner, directions);
    const nulls = takeWord(scanner, nullsOrders);
    terms.push({ column, direction, nulls });
  } while (scanner.take(","));
  scanner.expectEnd(",");
  return terms;
}

function takeWord(scanner: Scanner, words: ReadonlyMap<string, Sql>): Sql {
  for (const [word, piece] of words) {
    if (scanner.take(`.${word}`)) {
      return piece;
    }
  }
  return sql``;
}
