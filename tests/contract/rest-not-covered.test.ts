import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { fillBooks } from "#tests/support/rest/books.ts";
import { type Library, startLibrary } from "#tests/support/rest/library.ts";

let library: Library;
beforeAll(async () => {
  library = await startLibrary();
});
beforeEach(() => fillBooks(library));
afterAll(() => library?.close());

const books = () => library.client().from("books");
type Filters = ReturnType<ReturnType<typeof books>["select"]>;

test.each([
  ["an embedded table", (q: Filters) => q.select<string>("id, shelves(room)")],
  ["a spread table", (q: Filters) => q.select<string>("id, ...shelves(room)")],
  ["a hinted table", (q: Filters) => q.select<string>("id, x:shelves!inner(room)")],
  ["a JSON path in a select list", (q: Filters) => q.select<string>("details->a")],
  ["a JSON path in a filter", (q: Filters) => q.eq("details->>a", 1)],
  ["a JSON path in an order", (q: Filters) => q.order("details->a")],
  ["full-text search", (q: Filters) => q.textSearch("title", "alpha")],
  [
    "full-text search of a kind",
    (q: Filters) => q.textSearch("title", "a", { type: "websearch", config: "english" }),
  ],
])("%s is refused as not implemented", async (_name, by) => {
  const { status, error } = await by(books().select("id"));
  expect([status, error?.code, error?.message]).toEqual([
    400,
    "PGRST127",
    "Feature not implemented",
  ]);
  expect(error?.details).toMatch(/is not available here\.$/);
});

test("estimated counts, aggregates, plans, GeoJSON and filters below an embedded table are refused", async () => {
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

test("tx=rollback is not kept, and the answer does not claim it", async () => {
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
