import type { Column, Columns } from "#embedded/rest/catalog.ts";
import { unknownColumn } from "#embedded/rest/errors.ts";
import type { Condition } from "#embedded/rest/request/conditions.ts";
import type { OrderTerm } from "#embedded/rest/request/order.ts";
import type { Page } from "#embedded/rest/request/page.ts";
import { fromCatalog, join, parameter, type Sql, sql } from "./sql.ts";

/** A table or the result of a function. Statements use the alias `t`. */
export interface Relation {
  name: string;
  columns: Columns;
}

/** Looks up a column. Throws 42703 if unknown: only catalog names reach a statement. */
export function columnOf({ name, columns }: Relation, column: string): Column {
  const found = columns.get(column);
  if (!found) {
    throw unknownColumn(name, column);
  }
  return found;
}

/** Returns the column as `t.name`. */
export function reference(column: Column): Sql {
  return sql`t.${fromCatalog(column.sql)}`;
}

/** Returns ` where …` with all conditions joined by AND, or nothing. */
export function where(relation: Relation, conditions: readonly Condition[]): Sql {
  return conditions.length === 0 ? sql`` : sql` where ${groupSql(relation, "and", conditions)}`;
}

function groupSql(relation: Relation, joiner: "and" | "or", conditions: readonly Condition[]): Sql {
  const tests = conditions.map((condition) => {
    const test = conditionSql(relation, condition);
    return condition.isNegated ? sql`not (${test})` : sql`(${test})`;
  });
  return join(tests, joiner === "and" ? sql` and ` : sql` or `);
}

function conditionSql(relation: Relation, condition: Condition): Sql {
  if ("members" in condition) {
    return groupSql(relation, condition.joiner, condition.members);
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

/** Returns ` order by …`, or nothing. */
export function orderBy(relation: Relation, terms: readonly OrderTerm[]): Sql {
  const ordered = terms.map(({ column, direction, nulls }) => {
    const reached = reference(columnOf(relation, column));
    return sql`${reached}${direction}${nulls}`;
  });
  return ordered.length === 0 ? sql`` : sql` order by ${join(ordered, sql`, `)}`;
}

/** Returns ` limit … offset …`. */
export function range({ limit, offset }: Page): Sql {
  return sql` limit ${parameter(String(limit))} offset ${parameter(String(offset))}`;
}
