import type { Column, Table } from "#embedded/rest/catalog.ts";
import { unknownColumn, unknownField } from "#embedded/rest/errors.ts";
import { bounds } from "#embedded/rest/request/bounds.ts";
import type { Payload } from "#embedded/rest/request/payload.ts";
import type { Query } from "#embedded/rest/request/query.ts";
import { answer, type Output } from "./output.ts";
import { columnOf, orderBy, range, reference, where } from "./relation.ts";
import { fromCatalog, join, parameter, render, type Sql, sql, type Statement } from "./sql.ts";

export interface Shown {
  output: Output;
  body: Sql;
}

export interface Insertion {
  payload: Payload;
  /** The columns of `on conflict`, and what to do with an existing row. */
  conflict: { target: Column[]; resolution: "merge-duplicates" | "ignore-duplicates" } | undefined;
  /** Missing members become the column's default instead of null. */
  fillsDefaults: boolean;
}

/** Inserts the rows of a JSON body. PostgreSQL parses them by the columns' types. */
export function insertStatement(
  table: Table,
  query: Query,
  { payload, conflict, fillsDefaults }: Insertion,
  shown: Shown,
): Statement {
  const columns = writtenColumns(table, payload.keys);
  const rows = rowsOf(payload, columns, fillsDefaults);
  const into =
    columns.length === 0
      ? sql`insert into ${fromCatalog(table.sql)} as t select from ${rows}`
      : sql`insert into ${fromCatalog(table.sql)} as t (${names(columns)}) select ${values(columns, fillsDefaults)} from ${rows}`;
  const merges = conflict?.resolution === "merge-duplicates" && columns.length > 0;
  const isNew = table.columns.has("is_new") ? sql`is_new_row` : sql`is_new`;
  const [key] = conflict?.target ?? [];
  const flag = merges && key ? sql`old.${fromCatalog(key.sql)} is null as ${isNew}` : undefined;
  return changed(table, query, sql`${into}${onConflict(columns, conflict, merges)}`, shown, {
    flag,
    isNew: flag ? sql`(select bool_or(c.${isNew}) from changed c)` : sql`null`,
  });
}

/** Updates the rows that match the filters. A body without members changes nothing. */
export function updateStatement(
  table: Table,
  query: Query,
  payload: Payload,
  shown: Shown,
): Statement {
  const columns = writtenColumns(table, payload.keys);
  if (columns.length === 0 || payload.rows === 0) {
    const none = sql`select ${returningList(table, query, shown.output)} from ${fromCatalog(table.sql)} t where false`;
    return render(wrapped(table, query, none, shown, sql`null`));
  }
  const set = columns.map(({ sql: name }) => sql`${fromCatalog(name)} = r.${fromCatalog(name)}`);
  const rows = rowsOf(payload, columns, false);
  const filter = where(table, query.conditions);
  const update = sql`update ${fromCatalog(table.sql)} as t set ${join(set, sql`, `)} from ${rows}${filter}`;
  return changed(table, query, update, shown);
}

/** Deletes the rows that match the filters. */
export function deleteStatement(table: Table, query: Query, shown: Shown): Statement {
  const filter = where(table, query.conditions);
  return changed(table, query, sql`delete from ${fromCatalog(table.sql)} as t${filter}`, shown);
}

/** Looks up the columns of `on_conflict`. Throws 42703 for an unknown column. */
export function conflictTarget(table: Table, names: readonly string[]): Column[] {
  return names.map((name) => {
    const column = table.columns.get(name);
    if (!column) {
      throw unknownColumn(table.name, name);
    }
    return column;
  });
}

function writtenColumns(table: Table, keys: readonly string[]): Column[] {
  return keys.map((key) => {
    const column = table.columns.get(key);
    if (!column) {
      throw unknownField(table.name, key);
    }
    return column;
  });
}

const names = (columns: readonly Column[]) =>
  join(
    columns.map((column) => fromCatalog(column.sql)),
    sql`, `,
  );

function rowsOf(payload: Payload, columns: readonly Column[], fillsDefaults: boolean): Sql {
  const text = parameter(payload.text);
  const array = payload.isArray ? sql`${text}::json` : sql`json_build_array(${text}::json)`;
  if (columns.length === 0) {
    return sql`json_array_elements(${array})`;
  }
  const typed = columns.map(
    ({ sql: name, type }) => sql`${fromCatalog(name)} ${fromCatalog(type)}`,
  );
  return fillsDefaults
    ? sql`json_array_elements(${array}) as e(body), json_to_record(e.body) as r(${join(typed, sql`, `)})`
    : sql`json_to_recordset(${array}) as r(${join(typed, sql`, `)})`;
}

function values(columns: readonly Column[], fillsDefaults: boolean): Sql {
  const read = columns.map((column) => {
    const value = sql`r.${fromCatalog(column.sql)}`;
    if (!fillsDefaults || column.default === null) {
      return value;
    }
    const member = sql`e.body -> ${parameter(column.name)}::text`;
    return sql`case when ${member} is null then ${fromCatalog(column.default)} else ${value} end`;
  });
  return join(read, sql`, `);
}

function onConflict(
  columns: readonly Column[],
  conflict: Insertion["conflict"],
  merges: boolean,
): Sql {
  if (!conflict) {
    return sql``;
  }
  const target = sql` on conflict (${names(conflict.target)})`;
  const set = columns.map(
    ({ sql: name }) => sql`${fromCatalog(name)} = excluded.${fromCatalog(name)}`,
  );
  return merges ? sql`${target} do update set ${join(set, sql`, `)}` : sql`${target} do nothing`;
}

/** Returns only the selected columns: others would need a SELECT privilege. */
function returningList(table: Table, query: Query, output: Output): Sql {
  const ordered = query.order.map(({ column }) => columnOf(table, column));
  const needed = new Set([...output.columns, ...(output.columns.length > 0 ? ordered : [])]);
  return needed.size === 0 ? sql`1` : join(Array.from(needed, reference), sql`, `);
}

function changed(
  table: Table,
  query: Query,
  write: Sql,
  shown: Shown,
  { flag, isNew }: { flag?: Sql | undefined; isNew: Sql } = { isNew: sql`null` },
): Statement {
  const columns = returningList(table, query, shown.output);
  const returning = flag ? sql`${columns}, ${flag}` : columns;
  return render(wrapped(table, query, sql`${write} returning ${returning}`, shown, isNew));
}

function wrapped(table: Table, query: Query, write: Sql, { output, body }: Shown, isNew: Sql): Sql {
  const order = output.columns.length > 0 ? orderBy(table, query.order) : sql``;
  const rows = sql`select ${output.list} from changed t${order}${range({ limit: bounds.rowsOut, offset: 0 })}`;
  return answer(sql`changed as (${write}), shown as (${rows})`, {
    body,
    total: sql`(select count(*) from changed)`,
    isNew,
  });
}
