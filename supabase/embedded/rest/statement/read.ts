import type { Function, Table } from "#embedded/rest/catalog.ts";
import type { Page } from "#embedded/rest/request/page.ts";
import type { Query } from "#embedded/rest/request/query.ts";
import { answer, type Output } from "./output.ts";
import { orderBy, range, type Relation, where } from "./relation.ts";
import { fromCatalog, join, parameter, render, type Sql, sql, type Statement } from "./sql.ts";

interface Shown {
  output: Output;
  body: Sql;
  page: Page;
  withTotal: boolean;
}

/** Selects rows of a table. */
export function readStatement(table: Table, query: Query, shown: Shown): Statement {
  return shownFrom(sql``, fromCatalog(table.sql), table, query, shown);
}

/** Calls a function. Its rows can be filtered, ordered and limited like a table's. */
export function callStatement(called: Function, args: Sql, query: Query, shown: Shown): Statement {
  const relation = { name: called.name, columns: called.columns ?? new Map() };
  const alias = called.columns ? sql`t` : sql`t(value)`;
  const prelude = sql`called as (select t.* from ${args} as ${alias}), `;
  return shownFrom(prelude, sql`called`, relation, query, shown);
}

function shownFrom(
  prelude: Sql,
  source: Sql,
  relation: Relation,
  query: Query,
  { output, body, page, withTotal }: Shown,
): Statement {
  const filter = where(relation, query.conditions);
  const order = orderBy(relation, query.order);
  const rows = sql`select ${output.list} from ${source} t${filter}${order}${range(page)}`;
  const total = withTotal ? sql`(select count(*) from ${source} t${filter})` : sql`null`;
  return render(answer(sql`${prelude}shown as (${rows})`, { body, total, isNew: sql`null` }));
}

/** Returns a call whose arguments are members of a JSON object, with the function's types. */
export function callWithObject(called: Function, names: readonly string[], object: string): Sql {
  const given = argumentsOf(called, names);
  if (given.length === 0) {
    return sql`${fromCatalog(called.sql)}()`;
  }
  const typed = given.map(({ sql: name, type }) => sql`${fromCatalog(name)} ${fromCatalog(type)}`);
  const named = given.map(({ sql: name }) => sql`${fromCatalog(name)} := a.${fromCatalog(name)}`);
  return sql`json_to_record(${parameter(object)}::json) as a(${join(typed, sql`, `)}),
    ${fromCatalog(called.sql)}(${join(named, sql`, `)})`;
}

/** Returns a call whose arguments are texts. */
export function callWithTexts(called: Function, texts: ReadonlyMap<string, string>): Sql {
  const named = argumentsOf(called, Array.from(texts.keys())).map(
    ({ name, sql: written, type }) =>
      sql`${fromCatalog(written)} := ${parameter(texts.get(name) ?? "")}::${fromCatalog(type)}`,
  );
  return sql`${fromCatalog(called.sql)}(${join(named, sql`, `)})`;
}

function argumentsOf(called: Function, names: readonly string[]) {
  const wanted = new Set(names);
  return Array.from(called.arguments.values()).filter(({ name }) => wanted.has(name));
}
