import * as fc from "fast-check";
import { expect, test } from "vitest";
import { parseBinding, parseFilters } from "./bindings.ts";

const filter = (column: string, operator: string, value: string, negate = false) => ({
  column,
  operator,
  value,
  negate,
});

test.each([
  ["", []],
  ["   ", []],
  ["id=eq.5", [filter("id", "eq", "5")]],
  ["id=eq.a.b=c", [filter("id", "eq", "a.b=c")]],
  ["id=not.in.(1,2)", [filter("id", "in", "{1,2}", true)]],
  ["id=gt.1, id=lt.9", [filter("id", "gt", "1"), filter("id", "lt", "9")]],
  ['a=eq."x,y",b=eq.z', [filter("a", "eq", "x,y"), filter("b", "eq", "z")]],
  [String.raw`a=eq."say \"x\", \\ (now"`, [filter("a", "eq", String.raw`say "x", \ (now`)]],
  ['a=in.("x,y",z),b=eq.1', [filter("a", "in", '{"x,y",z}'), filter("b", "eq", "1")]],
  ['a=eq.5"', [filter("a", "eq", '5"')]],
])("reads the filter %j", (text, expected) => {
  expect(parseFilters(text)).toEqual(expected);
});

test.each(["undefined", "id", "id=5", "id=foo.5", "id=in.1,2", "=eq.5", "id=eq.1,,id=eq.2"])(
  "refuses the filter %j",
  (text) => {
    expect(parseFilters(text)).toBeTypeOf("string");
  },
);

test("never throws and takes linear time", () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      expect(["string", "object"]).toContain(typeof parseFilters(text));
    }),
  );
  const hostile = `a=eq.${',"('.repeat(1_300)}`;
  const start = performance.now();
  parseFilters(hostile);
  expect(performance.now() - start).toBeLessThan(200);
});

test("fills in what an entry leaves out", () => {
  expect(parseBinding(3, { schema: "public" })).toEqual({
    id: 3,
    event: "*",
    schema: "public",
    table: "*",
    filters: [],
    select: undefined,
  });
  expect(parseBinding(1, { event: "insert", table: "t", filter: null })).toMatchObject({
    event: "INSERT",
    schema: "public",
  });
  expect(parseBinding(1, { event: "INSERT" })).toMatch(/^No subscription params/);
  expect(parseBinding(1, { schema: "*", table: "t", select: ["a"] })).toMatch(/^Column selection/);
  const repeated = { schema: "public", table: "t", select: ["b", ...Array(1_599).fill("a")] };
  expect(parseBinding(1, repeated)).toMatchObject({ select: ["a", "b"] });
});
