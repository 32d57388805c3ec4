import { expect, test } from "vitest";
import { headersForSql } from "./headers.ts";

const address = "192.0.2.1";
const sent: [string, string][] = [
  ["Host", "localhost"],
  ["Prefer", "count=exact"],
  ["X-Forwarded-For", "203.0.113.9"],
  ["prefer", "return=minimal"],
  ["Cookie", "session=1"],
  ["AUTHORIZATION", "Bearer 1"],
  ["constructor", "own"],
];

test("SQL sees the same headers of a Request and as they came, without those that sign in", () => {
  const expected = {
    host: "localhost",
    prefer: "count=exact, return=minimal",
    constructor: "own",
    "x-forwarded-for": address,
  };
  expect(headersForSql(new Headers(sent), { address })).toEqual(expected);
  expect(headersForSql(new Headers(), { address, rawHeaders: sent.flat() })).toEqual(expected);
});

test("a name that every object has is a header like others", () => {
  const shown = headersForSql(new Headers(), { address, rawHeaders: ["__proto__", "x"] });
  expect(Object.entries(shown)).toEqual([
    ["__proto__", "x"],
    ["x-forwarded-for", address],
  ]);
});
