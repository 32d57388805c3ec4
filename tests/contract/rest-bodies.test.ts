import { expect } from "vitest";
import { test as base } from "#tests/support/rest/test.ts";

const test = base.extend(
  "post",
  ({ refusal }) =>
    (path: string, body: unknown) =>
      refusal(path, { method: "POST", body }),
);

test.for([
  ["", "Empty or invalid json"],
  ["{", "Empty or invalid json"],
  ["nonsense", "Empty or invalid json"],
  ["1", "The body must be an object or an array of objects"],
  ["null", "The body must be an object or an array of objects"],
  ["[1]", "The body must be an object or an array of objects"],
  ["[[]]", "The body must be an object or an array of objects"],
  ['[{"title":"a"},{"title":"b","pages":1}]', "All object keys must match"],
  ['[{"title":"a"},{"pages":1}]', "All object keys must match"],
  [`{"details":${"[".repeat(70)}${"]".repeat(70)}}`, "The body nests deeper than 64 levels"],
])("the body %s is refused", async ([body, message], { post }) => {
  expect(await post("/books", body)).toEqual([400, "PGRST102", message]);
});

test("a body that names no column of the table is refused", async ({ post }) => {
  for (const name of ["nope", "Title", "toString", "ctid", "tableoid"]) {
    const expected = [
      400,
      "PGRST204",
      `Could not find the '${name}' column of 'books' in the schema cache`,
    ];
    expect(await post("/books", { title: "x", [name]: "x" })).toEqual(expected);
    expect(await post(`/books?columns=title,${name}`, [{ title: "x" }])).toEqual(expected);
  }
});

test("names that every object inherits are ordinary names", async ({ ask }) => {
  const body = '{"id":900,"title":"p","__proto__":"a","constructor":"b"}';
  expect((await ask("/books", { method: "POST", body })).status).toBe(201);
  const path = "/books?select=__proto__,constructor&__proto__=eq.a&constructor=eq.b";
  expect((await ask(path)).text).toBe('[{"__proto__":"a","constructor":"b"}]');
  expect((await ask("/books?id=eq.900", { method: "DELETE" })).status).toBe(204);
});

test("the columns parameter selects the columns that are read from a body", async ({ ask }) => {
  const body = [{ id: 901, title: "c", nope: 1, pages: 3 }, { id: 902 }];
  const refused = await ask("/books?columns=id,title,order", { method: "POST", body });
  expect([refused.status, refused.json.code]).toEqual([400, "23502"]);
  const made = await ask("/books?columns=id,title,title,order&select=id,pages,order", {
    method: "POST",
    body: [
      { id: 901, title: "c", nope: 1, pages: 3 },
      { id: 902, title: "d", order: 1 },
    ],
    headers: { Prefer: "missing=default, return=representation" },
  });
  expect(made.json).toEqual([
    { id: 901, pages: null, order: 7 },
    { id: 902, pages: null, order: 1 },
  ]);
  expect((await ask("/books?id=gte.901", { method: "DELETE" })).status).toBe(204);
});

test("an empty object is a row of defaults", async ({ ask }) => {
  const made = await ask("/shelves", { method: "POST", body: {} });
  expect([made.status, made.json.code]).toEqual([400, "23502"]);
  const word = await ask("/words?columns=word", {
    method: "POST",
    body: [{ word: "a" }, { word: "b" }],
  });
  expect(word.status).toBe(201);
});

test("the arguments of a function are one object", async ({ ask, post }) => {
  expect((await ask("/rpc/add", { method: "POST", body: '{"a":1}' })).json).toBe(11);
  expect((await post("/rpc/add", [{ a: 1 }])).slice(0, 2)).toEqual([400, "PGRST102"]);
  expect((await post("/rpc/pair", "")).slice(0, 1)).toEqual([200]);
});

test("zero bytes and invalid text return 400", async ({ library, ask, post }) => {
  expect((await post("/books", '{"title":"a\\u0000b"}'))[0]).toBe(400);
  expect((await post("/books", '{"title":"\\ud800"}'))[0]).toBe(400);
  const bytes = await fetch(`${library.url}/rest/v1/books`, {
    method: "POST",
    headers: { apikey: library.publishableKey, "Content-Type": "application/json" },
    body: Buffer.from('{"title":"\xff"}', "latin1"),
  });
  expect(bytes.status).toBe(400);
  for (const path of [
    "/books?title=eq.%00",
    "/books?%00=eq.1",
    "/books?title=eq.%ff",
    "/books?select=%C3",
  ]) {
    expect((await ask(path)).status).toBe(400);
  }
});
