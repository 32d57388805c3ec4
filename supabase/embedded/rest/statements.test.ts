import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { CatalogText, ListedFunction, Table } from "./catalog.ts";
import { RestError } from "./errors.ts";
import { callStatement, insertStatement } from "./statements.ts";

// The catalog is read from PostgreSQL; here its texts are written by hand.
const written = (text: string) => text as CatalogText;
const field = (name: string, type: string) => ({
  name,
  sql: written(`"${name}"`),
  type: written(type),
});
const find: ListedFunction = {
  name: "find",
  sql: written("public.find"),
  isVolatile: false,
  returnsSet: true,
  returnsVoid: false,
  hasColumns: true,
  arguments: [
    { ...field("query", "text"), hasDefault: false },
    { ...field("page", "integer"), hasDefault: true },
  ],
};
const touch: ListedFunction = {
  ...find,
  name: "touch",
  isVolatile: true,
  returnsVoid: true,
  arguments: [],
};
const table: Table = {
  name: "notes",
  sql: written("public.notes"),
  columns: [field("name", "text"), field("tags", "text[]")],
};

test("an insert lists the given columns as the catalog wrote them", () => {
  expect(insertStatement(table, new Set(["tags", "name"])).text).toBe(
    `insert into public.notes ("name", "tags") select "name", "tags" from json_to_record($1::json) as members("name" text, "tags" text[])`,
  );
  expect(insertStatement(table, new Set()).text).toBe("insert into public.notes default values");
});

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
    fc.string({ unit: "binary" }),
    fc.constantFrom(
      "__proto__",
      "constructor",
      `name"; drop table x; --`,
      "Name",
      " name",
      "name)",
    ),
  );
  fc.assert(
    fc.property(names, (name) => {
      fc.pre(!["name", "tags", "query", "page"].includes(name));
      expect(() => insertStatement(table, new Set(["name", name]))).toThrow(RestError);
      expect(() => callStatement(find, new Set(["query", name]))).toThrow(RestError);
    }),
  );
});
