import type { Column, Columns } from "#embedded/rest/catalog.ts";
import { unknownColumn } from "#embedded/rest/errors.ts";
import type { Condition } from "#embedded/rest/request/conditions.ts";
import type { OrderTerm } from "#embedded/rest/request/order.ts";
import type { Page } from "#embedded/rest/request/page.ts";
import { fromCatalog, join, parameter, type Sql, sql } from "./sql.ts";

/** A table, or what a function returns: in a statement it has the alias `t`. */
export interface Relation {
  name: string;
  columns: Columns;
}

/** The column of that name. Fails with 42703: no other name reaches a statement. */
export function columnOf({ name, columns }: Relation, column: string): Column {
  const found = columns.get(column);
  if (!found) {
    throw unknownColumn(name, column);
  }
  return found;
}

/** A column of `t`. */
export function reference(column: Column): Sql {
  return sql`t.${fromCatalog(column.sql)}`;
}

/** ` where …` by all of the conditions, or nothing. */
export function where(relation: Relation, conditions: readonly Condition[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${combined(relation, "and", conditions)}`;
}

function combined(relation: Relation, joiner: "and" | "or", conditions: readonly Condition[]): Sql {
  const tests = conditions.map((condition) => {
    const test = written(relation, condition);
    return condition.isNegated ? sql`not (${test})` : sql`(${test})`;
  });
  return join(tests, joiner === "and" ? sql` and ` : sql` or `);
}

function written(relation: Relation, condition: Condition): Sql {
  if ("members" in condition) {
    return combined(relation, condition.joiner, condition.members);
  }
  const column = reference(columnOf(relation, condition.column));
  if ("state" in condition) {
    return sql`${column} ${condition.state}`;
  }
  const { operator, quantifier } = condition;
  const value = parameter(condition.value);
  const operand = quantifier ? sql`${quantifier} (${value})` : value;
  return sql`${column} ${operator.sql} ${operand}`;
}

/** ` order by …`, or nothing. */
export function orderBy(relation: Relation, terms: readonly OrderTerm[]): Sql {
  const ordered = terms.map(({ column, direction, nulls }) => {
    const reached = reference(columnOf(relation, column));
    return sql`${reached}${direction}${nulls}`;
  });
  return ordered.length === 0 ? sql`` : sql` order by ${join(ordered, sql`, `)}`;
}

/** ` limit … offset …`. */
export function range({ limit, offset }: Page): Sql {
  return sql` limit ${parameter(String(limit))} offset ${parameter(String(offset))}`;
}
