import { expect } from "vitest";
import { test } from "#tests/support/rest/test.ts";

const filters = (count: number) => Array.from({ length: count }, () => "id=eq.1").join("&");
const nested = (depth: number) => `or=(${"or(".repeat(depth - 1)}id.eq.1${")".repeat(depth)}`;
const word = (number: number) => ({ word: `w${number}` });

test.for([
  ["a query of 8 kB", `title=eq.${"a".repeat(8_000)}`, 200],
  ["a longer query", `title=eq.${"a".repeat(8_200)}`, 414],
  ["100 filters", filters(100), 200],
  ["101 filters", filters(101), 400],
  ["101 filters in a group", `or=(${Array.from({ length: 101 }, () => "id.eq.1").join()})`, 400],
  ["groups nested 5 deep", nested(5), 200],
  ["groups nested 6 deep", nested(6), 400],
  ["1,000 rows", "limit=1000", 200],
  ["1,001 rows", "limit=1001", 400],
  ["32 columns to order by", `order=${Array.from({ length: 32 }, () => "id").join()}`, 200],
  ["33 columns to order by", `order=${Array.from({ length: 33 }, () => "id").join()}`, 400],
  ["a column selected 4 times", "select=id,a:id,b:id,id::text", 200],
  ["a column selected 5 times", "select=id,a:id,b:id,id::text,*", 400],
  ["501 selected columns", `select=${Array.from({ length: 501 }, () => "id").join()}`, 400],
  ["501 renamed columns", `select=${Array.from({ length: 501 }, () => "a:id").join()}`, 400],
  ["every column 100 times", `select=${Array.from({ length: 100 }, () => "*").join()}`, 400],
  ["a pattern of 200 characters", `title=match.${"a".repeat(200)}`, 200],
  ["a longer pattern", `title=imatch.${"a".repeat(201)}`, 400],
])("bound: %s", async ([_name, query, status], { ask }) => {
  const answer = await ask(`/books?${query}`);
  expect([answer.status, answer.json.code]).toEqual([
    status,
    status === 200 ? undefined : "PGRST100",
  ]);
});

test("a function takes 100 arguments at most", async ({ refusal }) => {
  for (const [count, status, code] of [
    [100, 404, "PGRST202"],
    [101, 400, "PGRST100"],
  ] as const) {
    const names = Array.from({ length: count }, (_, index) => `a${index}`);
    const query = names.map((name) => `${name}=1`);
    const body = Object.fromEntries(names.map((name) => [name, 1]));
    const called = [
      await refusal(`/rpc/add?${query.join("&")}`),
      await refusal("/rpc/add", { method: "POST", body }),
    ];
    expect(called.map((one) => one.slice(0, 2))).toEqual([
      [status, code],
      [status, code],
    ]);
  }
});

test("a body of more than 1,000 rows or 1 MiB is refused", async ({ ask, refusal }) => {
  const rows = Array.from({ length: 1_000 }, (_, number) => word(number));
  expect((await ask("/words", { method: "POST", body: rows })).status).toBe(201);
  const more = [...rows, word(1_000)];
  expect(await refusal("/words", { method: "POST", body: more })).toEqual([
    413,
    "PGRST102",
    "A request writes 1000 rows at most",
  ]);
  const body = { word: "x".repeat(1024 * 1024) };
  const expected = [413, "PGRST102", "Request body is larger than 1 MiB"];
  expect(await refusal("/words", { method: "POST", body })).toEqual(expected);
  expect(await refusal("/rpc/echo", { method: "POST", body })).toEqual(expected);
});

test("a read is cut at 1,000 rows, and a write that returns more is rolled back", async ({
  library,
  ask,
}) => {
  const service = library.secretKey;
  await library.insert("words", { word: "one more" });
  const read = await ask("/words", { key: service });
  expect([read.json.length, read.headers.get("content-range")]).toEqual([1_000, "0-999/*"]);
  const called = await ask("/rpc/numbers?top=1500", { headers: { Prefer: "count=exact" } });
  expect([called.status, called.json.length, called.headers.get("content-range")]).toEqual([
    206,
    1_000,
    "0-999/1500",
  ]);
  const headers = { Prefer: "return=representation" };
  const removed = await ask("/words?id=gte.0", { method: "DELETE", key: service, headers });
  expect([removed.status, removed.json.code]).toEqual([400, "PGRST124"]);
  const minimal = await ask("/words?id=gte.0", {
    method: "DELETE",
    key: service,
    headers: { Prefer: "count=exact" },
  });
  expect([minimal.status, Number(minimal.headers.get("content-range")?.slice(2))]).toEqual([
    204,
    expect.toSatisfy((n) => n > 1_000),
  ]);
});
