import { expect } from "vitest";
import { books as rows } from "#tests/support/rest/books.ts";
import { testWithFourBooks as test } from "#tests/support/rest/test.ts";

test("select returns all columns, with every type as PostgREST writes it", async ({ books }) => {
  const { data } = await books().select().eq("id", 1).single();
  expect(data).toEqual({
    ...rows[0],
    raw: null,
    isbn: null,
    added: "2026-01-02T03:04:05.678+00:00",
    المؤلف: null,
    "odd,name": null,
    "a.b": null,
    order: 7,
    'say "hi"': null,
    ["__proto__"]: null,
    constructor: null,
    is_new: null,
    t: null,
    s: null,
  });
});

test("select takes columns, aliases and casts", async ({ books }) => {
  const { data } = await books()
    .select('id::text, name:title, المؤلف, "odd,name", "a.b", "say \\"hi\\"", x:pages::text')
    .eq("id", 2)
    .single();
  expect(data).toEqual({
    id: "2",
    name: "beta",
    المؤلف: null,
    "odd,name": null,
    "a.b": null,
    'say "hi"': null,
    x: "200",
  });
  const twice = await books().select("id, id, *").eq("id", 2);
  expect(twice.data?.[0]).toMatchObject({ id: 2, title: "beta" });
});

test("numbers keep their digits until JSON is read", async ({ library, books }) => {
  const big = "123456789012345678901234567890.5";
  await library.ask("/books", { method: "POST", body: `{"id":9,"title":"n","price":${big}}` });
  expect((await library.ask("/books?select=price&id=eq.9")).text).toBe(`[{"price":${big}}]`);
  const { data } = await books().select("price::text").eq("id", 9).single();
  expect(data).toEqual({ price: big });
});

const ids = async (query: PromiseLike<{ data: { id: number }[] | null }>) =>
  (await query).data?.map(({ id }) => id);

test("order, limit, range, single and maybeSingle work", async ({ books }) => {
  expect(await ids(books().select("id").order("pages"))).toEqual([1, 2, 4, 3]);
  expect(await ids(books().select("id").order("pages", { nullsFirst: true }))).toEqual([
    3, 1, 2, 4,
  ]);
  expect(await ids(books().select("id").order("pages", { ascending: false }))).toEqual([
    3, 4, 2, 1,
  ]);
  const last = { ascending: false, nullsFirst: false };
  expect(await ids(books().select("id").order("pages", last).order("id"))).toEqual([4, 2, 1, 3]);
  expect(await ids(books().select("id").order("id").limit(2))).toEqual([1, 2]);
  expect(await ids(books().select("id").order("id").range(1, 2))).toEqual([2, 3]);
  expect(await ids(books().select("id").limit(0))).toEqual([]);
  const none = await books().select("id").eq("id", 99).maybeSingle();
  expect([none.data, none.error]).toEqual([null, null]);
  expect((await books().select("id").maybeSingle()).error?.code).toBe("PGRST116");
  expect(await books().select("id").single()).toMatchObject({
    status: 406,
    error: {
      code: "PGRST116",
      message: "Cannot coerce the result to a single JSON object",
      details: "The result contains 4 rows",
      hint: null,
    },
  });
});

test("count=exact counts all matching rows, not only the returned ones", async ({ books }) => {
  const page = await books().select("id", { count: "exact" }).gt("id", 1).order("id").limit(1);
  expect(page).toMatchObject({ data: [{ id: 2 }], count: 3, status: 206 });
  const head = await books().select("*", { count: "exact", head: true }).eq("is_out", true);
  expect(head).toMatchObject({ data: null, count: 2, status: 200 });
  const beyond = await books().select("id", { count: "exact" }).range(9, 10);
  expect(beyond).toMatchObject({ status: 416, error: { code: "PGRST103" } });
});

test("csv and stripped nulls are returned on request", async ({ books }) => {
  const csv = await books().select("id,title,author,name:title").order("id").csv();
  expect(csv.data).toBe(
    'id,title,author,name\n1,Alpha,"A, B",Alpha\n2,beta,,beta\n3,Gamma,"say ""hi""",Gamma\n4,"50%_\\\\",null,"50%_\\\\"',
  );
  const stripped = await books().select("id,author").eq("id", 2).stripNulls();
  expect(stripped.data).toEqual([{ id: 2 }]);
  const one = await books().select("id,n:author").eq("id", 2).single().stripNulls();
  expect(one.data).toEqual({ id: 2 });
});

test("throwOnError, returns, overrideTypes, setHeader, retry and abortSignal work", async ({
  books,
}) => {
  await expect(books().select("nope").throwOnError()).rejects.toMatchObject({ code: "42703" });
  const query = books().select("id").eq("id", 1);
  const settled = query
    .setHeader("X-Test", "1")
    .retry(false)
    .abortSignal(AbortSignal.timeout(5_000));
  expect((await settled.overrideTypes<{ id: number }[]>()).data).toEqual([{ id: 1 }]);
  expect((await books().select("id").eq("id", 1).returns<{ id: number }[]>()).data).toEqual([
    { id: 1 },
  ]);
});
