import { expect } from "vitest";
import { test as base } from "#tests/support/rest/test.ts";

const test = base.extend(
  "write",
  ({ ask }) =>
    async (method: string, path: string, prefer: string, body?: unknown) => {
      const answer = await ask(path, {
        method,
        headers: { Prefer: prefer },
        ...(body !== undefined && { body }),
      });
      const { headers } = answer;
      return [
        answer.status,
        headers.get("content-range"),
        headers.get("location"),
        headers.get("preference-applied"),
        answer.json?.length ?? answer.text,
      ];
    },
);

test.for([
  ["GET", "/books", "count=exact, return=minimal, tx=rollback", "count=exact"],
  ["GET", "/books", "count=nothing", null],
  ["GET", "/books", "COUNT=exact", null],
  ["GET", "/books", "handling=lenient, count=exact, count=exact", "count=exact, handling=lenient"],
  ["GET", "/books", "max-affected=1, timezone=Nowhere", null],
  [
    "GET",
    "/rpc/numbers?top=1",
    "handling=strict, max-affected=1",
    "handling=strict, max-affected=1",
  ],
] as const)("%s %s with %s applies %s", async ([method, path, prefer, applied], { ask }) => {
  const answer = await ask(path, { method, headers: { Prefer: prefer } });
  expect([answer.status, answer.headers.get("preference-applied")]).toEqual([200, applied]);
});

test("unknown preferences are refused under handling=strict", async ({ ask }) => {
  const prefer = "handling=strict, anything, max-affected=x, count=exact";
  const { status, json } = await ask("/books", { headers: { Prefer: prefer } });
  expect([status, json]).toEqual([
    400,
    {
      code: "PGRST122",
      message: "Invalid preferences given with handling=strict",
      details: "Invalid preferences: anything, max-affected=x",
      hint: null,
    },
  ]);
});

const shelf = (number: number) => ({ room: "a b&c", number });

test("a write applies its preferences and lists them", async ({ write }) => {
  expect(await write("POST", "/shelves", "return=headers-only", shelf(1))).toEqual([
    201,
    "*/*",
    "/shelves?room=eq.a+b%26c&number=eq.1",
    "return=headers-only",
    "",
  ]);
  expect(
    await write("POST", "/shelves", "return=minimal, count=exact", [shelf(2), shelf(3)]),
  ).toEqual([201, "*/2", null, "return=minimal, count=exact", ""]);
  const merge = "resolution=merge-duplicates, missing=default, return=representation";
  expect(await write("POST", "/shelves", merge, shelf(3))).toEqual([
    200,
    "*/*",
    null,
    "resolution=merge-duplicates, missing=default, return=representation",
    1,
  ]);
  expect(await write("POST", "/words", "resolution=ignore-duplicates", { word: "w" })).toEqual([
    201,
    "*/*",
    null,
    null,
    "",
  ]);
  const counted = "return=representation, count=exact";
  expect(await write("PATCH", "/shelves?room=neq.x", counted, { label: "l" })).toEqual([
    200,
    "0-2/3",
    null,
    counted,
    3,
  ]);
  expect(await write("PATCH", "/shelves?room=eq.x", "count=exact", { label: "l" })).toEqual([
    204,
    "*/0",
    null,
    "count=exact",
    "",
  ]);
  expect(await write("DELETE", "/shelves?number=gt.1", "count=exact, return=headers-only")).toEqual(
    [204, "*/2", null, "return=headers-only, count=exact", ""],
  );
  expect(await write("DELETE", "/shelves?number=eq.1", "return=representation")).toEqual([
    200,
    "*/*",
    null,
    "return=representation",
    1,
  ]);
});
