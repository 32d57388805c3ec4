import type { CatalogText, Field, ListedFunction, Table } from "./catalog.ts";
import { RestError } from "./errors.ts";

/**
 * A statement with one parameter, `$1`: the body of the request, a JSON object. Its text is made of
 * this file's own text and of the catalog's. Names of a request are only looked up there.
 */
export interface Statement {
  text: string;
  hasParameter: boolean;
  isReadOnly: boolean;
}

/** Inserts one row with these columns. Throws RestError for an unknown column. */
export function insertStatement(table: Table, names: ReadonlySet<string>): Statement {
  for (const name of names) {
    if (!table.columns.some((column) => column.name === name)) {
      throw new RestError(400, {
        code: "PGRST204",
        message: `Could not find the '${name}' column of '${table.name}' in the schema cache`,
      });
    }
  }
  const given = table.columns.filter(({ name }) => names.has(name));
  const list = join(given.map(({ sql }) => sql));
  const rows = `(${list}) select ${list} from ${membersOf(given)}`;
  return {
    text: `insert into ${table.sql} ${given.length > 0 ? rows : "default values"}`,
    hasParameter: given.length > 0,
    isReadOnly: false,
  };
}

/** Calls a function with these arguments; its one row is `body`. Throws RestError for no match. */
export function callStatement(called: ListedFunction, names: ReadonlySet<string>): Statement {
  const given = called.arguments.filter(({ name }) => names.has(name));
  const isComplete = called.arguments.every(
    ({ name, hasDefault }) => hasDefault || names.has(name),
  );
  if (given.length < names.size || !isComplete) {
    throw unknownFunction(called.name, names);
  }
  const hasParameter = given.length > 0;
  const call = `${called.sql}(${join(given.map(({ sql }) => `${sql} := members.${sql}`))})`;
  const from = hasParameter ? `${membersOf(given)}, ${call}` : call;
  const [result, item] = called.hasColumns ? ["result", "result"] : ["result(value)", "value"];
  const json = called.returnsSet ? `coalesce(json_agg(${item}), '[]')` : `to_json(${item})`;
  const body = called.returnsVoid ? "null" : json;
  return {
    text: `select (${body})::text as body from ${from} as ${result}`,
    hasParameter,
    isReadOnly: !called.isVolatile,
  };
}

/** PostgREST's error for a function that does not exist, or not with these arguments. */
export function unknownFunction(name: string, names: ReadonlySet<string>): RestError {
  const sorted = Array.from(names).toSorted().join(", ");
  return new RestError(404, {
    code: "PGRST202",
    message: `Could not find the function public.${name}${sorted === "" ? " without parameters" : `(${sorted})`} in the schema cache`,
  });
}

const membersOf = (fields: readonly Field[]) =>
  `json_to_record($1::json) as members(${join(fields.map(({ sql, type }) => `${sql} ${type}`))})`;

const join = (texts: readonly (CatalogText | string)[]) => texts.join(", ");
