import { expect } from "vitest";
import type { Library } from "#tests/support/rest/library.ts";
import { testWithFourBooks as base } from "#tests/support/rest/test.ts";

type Client = ReturnType<Library["client"]>;
const test = base.extend(
  "rpc",
  ({ library }) =>
    (...args: Parameters<Client["rpc"]>) =>
      library.client().rpc(...args),
);

test("functions can be called by POST and GET, with named and default arguments", async ({
  rpc,
}) => {
  for (const options of [{}, { get: true }]) {
    expect((await rpc("add", { a: 1, b: 2 }, options)).data).toBe(3);
    expect((await rpc("add", { a: 1 }, options)).data).toBe(11);
    expect((await rpc("first_tag", { tags: ["x", "y"] }, options)).data).toBe("x");
    expect((await rpc("pair", {}, options)).data).toEqual({ low: 1, high: 2 });
    expect((await rpc("only", {}, options)).data).toEqual({ one: 1 });
    expect((await rpc("numbers", { top: 3 }, options)).data).toEqual([1, 2, 3]);
    expect(await rpc("nothing", {}, options)).toMatchObject({ data: null, status: 204 });
  }
  const nested = { a: [1, { b: null }], text: "x" };
  expect((await rpc("echo", { value: nested })).data).toEqual(nested);
  expect((await rpc("a_book", { wanted: 99 })).data).toMatchObject({ id: null, title: null });
});

test("the rows of a function can be filtered, ordered, limited and counted", async ({ rpc }) => {
  const found = await rpc("long_books", { fewest: 100 }, { count: "exact" })
    .select("id, name:title")
    .neq("id", 2)
    .order("id", { ascending: false })
    .limit(1);
  expect(found).toMatchObject({ data: [{ id: 4, name: "50%_\\" }], count: 2, status: 206 });
  const byGet = await rpc("long_books", { fewest: 100 }, { get: true })
    .eq("id", 2)
    .select("id")
    .single();
  expect(byGet.data).toEqual({ id: 2 });
  const head = await rpc("long_books", { fewest: 0 }, { head: true, count: "exact" });
  expect(head).toMatchObject({ data: null, count: 3, status: 200 });
  const object = await rpc("echo", { value: { a: 1 } }, { head: true, count: "exact" });
  expect(object).toMatchObject({ data: null, count: 1, error: null });
  const renamed = await rpc("rename", { wanted: 1, title: "r" }).select("title");
  expect(renamed.data).toEqual([{ title: "r" }]);
  expect((await rpc("numbers", { top: 2 }).csv()).data).toBe("value\n1\n2");
  expect((await rpc("long_books").maxAffected(2)).error?.code).toBe("PGRST124");
  expect((await rpc("add", { a: 1 }).maxAffected(2)).error?.code).toBe("PGRST128");
});
