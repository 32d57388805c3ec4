import { expect, test } from "vitest";
import { headersForSql } from "./headers.ts";

test("SQL sees the headers of a request without those that sign in, and the address that was verified", () => {
  const sent = new Headers({
    Host: "localhost",
    "X-Forwarded-For": "203.0.113.9",
    Cookie: "session=1",
    AUTHORIZATION: "Bearer 1",
    apikey: "sb_publishable_embedded",
    constructor: "own",
  });
  expect(headersForSql(sent, "192.0.2.1")).toEqual({
    host: "localhost",
    constructor: "own",
    "x-forwarded-for": "192.0.2.1",
  });
});
