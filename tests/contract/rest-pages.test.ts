import { expect } from "vitest";
import { testWithTwelveBooks as test } from "#tests/support/rest/test.ts";

test.for([
  ["", {}, 200, "0-11/*", 12],
  ["&limit=5", {}, 200, "0-4/*", 5],
  ["&limit=5", { Prefer: "count=exact" }, 206, "0-4/12", 5],
  ["&offset=10", { Prefer: "count=exact" }, 206, "10-11/12", 2],
  ["", { Prefer: "count=exact" }, 200, "0-11/12", 12],
  ["&offset=12", { Prefer: "count=exact" }, 206, "*/12", 0],
  ["&offset=100", {}, 200, "*/*", 0],
  ["&offset=-5&limit=1", {}, 200, "0-0/*", 1],
  ["&limit=9&limit=2", {}, 200, "0-1/*", 2],
  ["&limit=0", {}, 200, "*/*", 0],
  ["&id=eq.99", { Prefer: "count=exact" }, 200, "*/0", 0],
  ["", { Range: "2-4" }, 200, "2-4/*", 3],
  ["", { Range: "10-" }, 200, "10-11/*", 2],
  ["&limit=2&offset=3", { Range: "4-9" }, 200, "4-4/*", 1],
  ["", { Range: "nonsense" }, 200, "0-11/*", 12],
] as const)("?order=id%s with %o", async ([query, headers, status, range, length], { ask }) => {
  const answer = await ask(`/books?select=id&order=id${query}`, { headers });
  expect([answer.status, answer.headers.get("content-range"), answer.json.length]).toEqual([
    status,
    range,
    length,
  ]);
});

test("an invalid or unsatisfiable page is refused", async ({ ask, refusal }) => {
  const beyond = await ask("/books?offset=100", { headers: { Prefer: "count=exact" } });
  expect([beyond.status, beyond.headers.get("content-range")]).toEqual([416, "*/12"]);
  expect(beyond.json).toEqual({
    code: "PGRST103",
    message: "Requested range not satisfiable",
    details: "An offset of 100 was requested, but there are only 12 rows.",
    hint: null,
  });
  expect((await refusal("/books?limit=-1")).slice(0, 2)).toEqual([416, "PGRST103"]);
  const reversed = { headers: { Range: "4-2" } };
  expect((await refusal("/books", reversed)).slice(0, 2)).toEqual([416, "PGRST103"]);
  for (const wrong of ["x", "1.5", "", "1e3", "9007199254740993", " 1", "0x1"]) {
    const key = encodeURIComponent(wrong);
    expect((await refusal(`/books?limit=${key}`)).slice(0, 2)).toEqual([400, "PGRST100"]);
    expect((await refusal(`/books?offset=${key}`)).slice(0, 2)).toEqual([400, "PGRST100"]);
  }
});

test("HEAD has the same headers and no body, also for a failure", async ({ ask }) => {
  const head = await ask("/books?limit=5", {
    method: "HEAD",
    headers: { Prefer: "count=exact", Range: "0-1" },
  });
  expect([head.status, head.headers.get("content-range"), head.text]).toEqual([206, "0-4/12", ""]);
  const failed = await ask("/none", { method: "HEAD" });
  expect([failed.status, failed.text]).toEqual([404, ""]);
  expect((await ask("/rpc/add?a=1", { method: "HEAD" })).status).toBe(200);
});
