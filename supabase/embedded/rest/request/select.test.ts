import { describe, expect, test } from "vitest";
import { casts, directions, nullsOrders } from "#embedded/rest/statement/operators.ts";
import { sql } from "#embedded/rest/statement/sql.ts";
import { refusal } from "#tests/support/rest/refusal.ts";
import { readOrder } from "./order.ts";
import { readSelect } from "./select.ts";

describe("select", () => {
  test.each([
    ["", ["*"]],
    ["*", ["*"]],
    ["id", [{ column: "id" }]],
    [" id , first name ", [{ column: "id" }, { column: "first name" }]],
    ["a:id,*", [{ column: "id", alias: "a" }, "*"]],
    ["has-dash,a_1$", [{ column: "has-dash" }, { column: "a_1$" }]],
    ['"a,b":"c\\"d\\\\"', [{ column: 'c"d\\', alias: "a,b" }]],
    ["المؤلف", [{ column: "المؤلف" }]],
    ["id::text", [{ column: "id", cast: casts.get("text") }]],
    ["x:id::INT8", [{ column: "id", alias: "x", cast: casts.get("int8") }]],
    ["constructor", [{ column: "constructor" }]],
  ])("%j", (text, expected) => {
    expect(readSelect(text)).toEqual(expected);
  });

  test.each([
    ["id,", "PGRST100"],
    [",id", "PGRST100"],
    ["id)", "PGRST100"],
    ["id;drop", "PGRST100"],
    ["'", "PGRST100"],
    ['"id', "PGRST100"],
    ['"id"x', "PGRST100"],
    ["a:b:c", "PGRST100"],
    ["a--b", "PGRST100"],
    ["id.name", "PGRST100"],
    ["*x", "PGRST100"],
    ["id::", "42704"],
    ["id::toString", "42704"],
    ["id::text[]", "PGRST100"],
    ["id->a", "PGRST127"],
    ["id->>a", "PGRST127"],
    ["a:id->a", "PGRST127"],
    ["rel(id)", "PGRST127"],
    ["rel!hint(id)", "PGRST127"],
    ["...rel(id)", "PGRST127"],
    ["a:rel(*)", "PGRST127"],
    ["count()", "PGRST123"],
    ["id.sum()", "PGRST123"],
    ["id.sum()::text", "PGRST123"],
    ["id::text.max()", "PGRST123"],
  ])("%j is refused with %s", (text, code) => {
    expect(refusal(() => readSelect(text))).toMatchObject({ status: 400, code });
  });
});

const term = (column: string, direction = sql``, nulls = sql``) => ({ column, direction, nulls });

test("order", () => {
  const desc = directions.get("desc");
  const last = nullsOrders.get("nullslast");
  expect(readOrder("id")).toEqual([term("id")]);
  expect(readOrder('a.asc,"b.c".desc.nullslast, d.nullsfirst')).toEqual([
    term("a", directions.get("asc")),
    term("b.c", desc, last),
    term("d", sql``, nullsOrders.get("nullsfirst")),
  ]);
  expect(refusal(() => readOrder("id.asc.nullslasttt"))).toEqual({
    status: 400,
    code: "PGRST100",
    message: '"failed to parse order (id.asc.nullslasttt)" (line 1, column 17)',
    details: `unexpected 't' expecting "," or end of input`,
  });
  for (const text of [
    "",
    "id.ASC",
    "id.asc.desc",
    "id.nullslast.asc",
    "id;",
    "id,",
    "id.toString",
  ]) {
    expect([text, refusal(() => readOrder(text))]).toMatchObject([text, { code: "PGRST100" }]);
  }
  expect(refusal(() => readOrder("rel(id)"))).toMatchObject({ code: "PGRST127" });
});
