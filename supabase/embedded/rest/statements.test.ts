import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CatalogText, ListedFunction } from "./catalog.ts";
import { RestError } from "./errors.ts";
import { callStatement } from "./statements.ts";

// The catalog is read from PostgreSQL; here its texts are written by hand.
const written = (text: string) => text as CatalogText;
const argument = (name: string, type: string, hasDefault: boolean) => ({
  name,
  sql: written(`"${name}"`),
  type: written(type),
  hasDefault,
});
const find: ListedFunction = {
  name: "find",
  sql: written("public.find"),
  isVolatile: false,
  returnsSet: true,
  returnsVoid: false,
  hasColumns: true,
  arguments: [argument("query", "text", false), argument("page", "integer", true)],
};
const touch: ListedFunction = {
  ...find,
  name: "touch",
  isVolatile: true,
  returnsVoid: true,
  arguments: [],
};

test("a call names the given arguments, the others have their defaults", () => {
  expect(callStatement(find, new Set(["query"]))).toEqual({
    text: `select (coalesce(json_agg(result), '[]'))::text as body from json_to_record($1::json) as members("query" text), public.find("query" := members."query") as result`,
    hasParameter: true,
    isReadOnly: true,
  });
  expect(callStatement(touch, new Set())).toEqual({
    text: "select (null)::text as body from public.find() as result",
    hasParameter: false,
    isReadOnly: false,
  });
});

test("no name of a request reaches a statement", () => {
  const names = fc.oneof(
    fc.string({ unit: "grapheme" }),
    fc.constantFrom(
      "__proto__",
      "constructor",
      `query"; drop table x; --`,
      "Query",
      " query",
      "query)",
    ),
  );
  fc.assert(
    fc.property(names, (name) => {
      fc.pre(!["query", "page"].includes(name));
      expect(() => callStatement(find, new Set(["query", name]))).toThrow(RestError);
    }),
  );
});
