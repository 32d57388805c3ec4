import { expect } from "vitest";
import { type BooksQuery, testWithFourBooks as test } from "#tests/support/rest/test.ts";

test.for([
  ["an embedded table", (q: BooksQuery) => q.select<string>("id, shelves(room)")],
  ["a spread table", (q: BooksQuery) => q.select<string>("id, ...shelves(room)")],
  ["a hinted table", (q: BooksQuery) => q.select<string>("id, x:shelves!inner(room)")],
  ["a JSON path in a select list", (q: BooksQuery) => q.select<string>("details->a")],
  ["a JSON path in a filter", (q: BooksQuery) => q.eq("details->>a", 1)],
  ["a JSON path in an order", (q: BooksQuery) => q.order("details->a")],
  ["full-text search", (q: BooksQuery) => q.textSearch("title", "alpha")],
  [
    "full-text search of a kind",
    (q: BooksQuery) => q.textSearch("title", "a", { type: "websearch", config: "english" }),
  ],
] as const)("%s is refused as not implemented", async ([_name, by], { books }) => {
  const { status, error } = await by(books().select("id"));
  expect([status, error?.code, error?.message]).toEqual([
    400,
    "PGRST127",
    "Feature not implemented",
  ]);
  expect(error?.details).toMatch(/is not available here\.$/);
});

test("estimated counts, aggregates, plans, GeoJSON and filters below an embedded table are refused", async ({
  books,
}) => {
  for (const count of ["planned", "estimated"] as const) {
    const { status, error, count: counted } = await books().select("id", { count });
    expect([status, error?.code, counted]).toEqual([400, "PGRST127", null]);
  }
  expect((await books().select<string>("pages.sum()")).error?.code).toBe("PGRST123");
  expect((await books().select<string>("count()")).error?.code).toBe("PGRST123");
  expect((await books().select().explain()).status).toBe(406);
  expect((await books().select().geojson()).error?.code).toBe("PGRST107");
  expect((await books().select().eq("shelves.room", "a")).error?.code).toBe("PGRST108");
  expect((await books().select().or("id.eq.1", { referencedTable: "shelves" })).error?.code).toBe(
    "PGRST108",
  );
  expect((await books().select().order("room", { referencedTable: "shelves" })).error?.code).toBe(
    "PGRST108",
  );
});

test("tx=rollback is not applied, and the response does not claim it", async ({
  library,
  books,
}) => {
  const { data, status } = await books().insert({ title: "kept" }).select("title").rollback();
  expect([status, data]).toEqual([201, [{ title: "kept" }]]);
  const raw = await library.ask("/books", {
    method: "POST",
    body: { title: "kept" },
    headers: { Prefer: "tx=rollback, return=minimal" },
  });
  expect(raw.headers.get("preference-applied")).toBe("return=minimal");
  expect((await books().select("title").eq("title", "kept")).data).toHaveLength(2);
});
