import { afterAll, beforeAll, expect, test } from "vitest";
import { type Library, startLibrary } from "#tests/support/rest/library.ts";

/** Defects of the first version's REST layer, apart from the attacks. */
let library: Library;
beforeAll(async () => {
  library = await startLibrary();
  const rows = [
    { id: 1, title: "null", author: null },
    { id: 2, title: "true", author: "false" },
    { id: 3, title: "x", author: "null" },
  ];
  await library.insert("books", rows);
});
afterAll(() => library?.close());

const ids = async (query: string) =>
  (await library.ask(`/books?select=id&order=id&${query}`)).json.map(
    ({ id }: { id: number }) => id,
  );

test("a filter with a name that every object inherits is not dropped", async () => {
  for (const name of ["toString", "hasOwnProperty", "valueOf", "prototype", "isPrototypeOf"]) {
    const answer = await library.ask(`/books?${name}=eq.nothing`, {
      method: "DELETE",
      key: library.secretKey,
    });
    expect([answer.status, answer.json.code]).toEqual([400, "42703"]);
  }
  const known = await library.ask("/books?constructor=eq.nothing", {
    method: "DELETE",
    key: library.secretKey,
  });
  expect(known.status).toBe(204);
  expect(await ids("")).toEqual([1, 2, 3]);
});

test("a change with response 406 was not made", async () => {
  const headers = { Accept: "application/vnd.pgrst.object+json" };
  for (const prefer of ["return=representation", "return=minimal"]) {
    const options = { headers: { ...headers, Prefer: prefer } };
    const changed = await library.ask("/books?id=gt.0", {
      method: "PATCH",
      body: { pages: 9 },
      ...options,
    });
    expect([changed.status, changed.json.code]).toEqual([406, "PGRST116"]);
    expect((await library.ask("/books?id=gt.0", { method: "DELETE", ...options })).status).toBe(
      406,
    );
  }
  expect(await ids("pages=is.null")).toEqual([1, 2, 3]);
});

test("null and true are ordinary texts", async () => {
  expect(await ids("title=eq.null")).toEqual([1]);
  expect(await ids("author=eq.null")).toEqual([3]);
  expect(await ids("title=eq.true")).toEqual([2]);
  expect(await ids("title=in.(x,null)")).toEqual([1, 3]);
  expect(await ids("author=neq.null")).toEqual([2]);
  expect(await ids("author=is.null")).toEqual([1]);
});

test("missing columns get their defaults, and JSON objects are stored as objects", async () => {
  const headers = { Prefer: "missing=default, return=representation" };
  const body = [{ title: "a" }, { title: "b" }];
  const made = await library.ask("/books?columns=id,title&select=id", {
    method: "POST",
    body,
    headers,
  });
  expect(made.json).toEqual([{ id: expect.any(Number) }, { id: expect.any(Number) }]);
  expect((await library.ask("/visits", { method: "POST", body: {} })).status).toBe(201);
  expect((await library.ask("/visits", { method: "POST", body: [{}, {}] })).status).toBe(201);
  const echoed = await library.ask("/rpc/echo", { method: "POST", body: { value: { a: [1] } } });
  expect(echoed.json).toEqual({ a: [1] });
  expect((await library.ask("/rpc/add?a=1&b=2", { method: "HEAD" })).status).toBe(200);
});

test.each([
  ["GET", "/books/", 404],
  ["GET", "/books?title=eq", 400],
  ["GET", "/books?select='", 400],
  ["GET", "/books?select=id)", 400],
  ["GET", "/books?title=is.nullx", 400],
  ["PROPFIND", "/books", 405],
  ["MKCOL", "/rpc/add", 405],
])("%s %s returns %i", async (method, path, status) => {
  expect((await library.ask(path, { method })).status).toBe(status);
});

test("a preference that was not applied is not in Preference-Applied", async () => {
  const headers = { Prefer: "tx=rollback, return=minimal" };
  const answer = await library.ask("/books", {
    method: "POST",
    body: { title: "kept" },
    headers,
  });
  expect([answer.status, answer.headers.get("preference-applied")]).toEqual([
    201,
    "return=minimal",
  ]);
  expect(await ids("title=eq.kept")).toHaveLength(1);
});
