import type { ListedFunction } from "./catalog.ts";
import { RestError } from "./errors.ts";

/**
 * A statement whose one parameter, `$1`, is the body of the request: a JSON object. Its text consists of
 * texts of this file and of the catalog. Names in a request are only looked up in the catalog.
 */
export interface Statement {
  text: string;
  hasParameter: boolean;
  isReadOnly: boolean;
}

/**
 * Calls a function with these arguments. The result is one row with the column `body`. Throws RestError if
 * the arguments do not match.
 */
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
  const members = join(given.map(({ sql, type }) => `${sql} ${type}`));
  const from = hasParameter ? `json_to_record($1::json) as members(${members}), ${call}` : call;
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

const join = (texts: readonly string[]) => texts.join(", ");
