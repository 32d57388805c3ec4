import { expect } from "vitest";
import { testWithFourBooks as test } from "#tests/support/rest/test.ts";

test("insert writes one row, many rows and defaults", async ({ books }) => {
  const one = await books().insert({ title: "one", pages: 1 });
  expect(one).toMatchObject({ status: 201, data: null, error: null });
  const shown = await books()
    .insert({ title: "two", tags: ["a", "b"], details: { n: [1] } })
    .select("title,tags,details,order");
  expect(shown).toMatchObject({
    status: 201,
    data: [{ title: "two", tags: ["a", "b"], details: { n: [1] }, order: 7 }],
  });
  const mixed = [{ title: "a", order: 1 }, { title: "b" }];
  const nulls = await books().insert(mixed).select("order").order("title");
  expect(nulls.data).toEqual([{ order: 1 }, { order: null }]);
  const defaults = await books()
    .insert(mixed, { defaultToNull: false, count: "exact" })
    .select("order");
  expect(defaults).toMatchObject({ data: [{ order: 1 }, { order: 7 }], count: 2 });
  expect((await books().insert([])).status).toBe(201);
});

test("upsert", async ({ books }) => {
  const changed = await books().upsert({ id: 1, title: "new" }).select("id,title,pages");
  expect(changed).toMatchObject({ status: 200, data: [{ id: 1, title: "new", pages: 100 }] });
  const both = await books()
    .upsert([
      { id: 1, title: "x" },
      { id: 77, title: "y" },
    ])
    .select("id");
  expect(both).toMatchObject({ status: 201, data: [{ id: 1 }, { id: 77 }] });
  const ignored = await books().upsert({ id: 1, title: "no" }, { ignoreDuplicates: true }).select();
  expect(ignored).toMatchObject({ status: 201, data: [] });
  await books().insert({ id: 50, title: "i", isbn: "978" });
  const byIsbn = await books()
    .upsert({ title: "j", isbn: "978" }, { onConflict: "isbn" })
    .select("id,title");
  expect(byIsbn.data).toEqual([{ id: 50, title: "j" }]);
  const noIndex = await books().upsert({ title: "j" }, { onConflict: "title" });
  expect(noIndex).toMatchObject({ status: 400, error: { code: "42P10" } });
});

test("update and delete", async ({ books }) => {
  const updated = await books()
    .update({ title: "u", pages: null }, { count: "exact" })
    .in("id", [1, 2]);
  expect(updated).toMatchObject({ status: 204, data: null, count: 2 });
  const shown = await books()
    .update({ title: "v" })
    .gte("id", 3)
    .select("id")
    .order("id", { ascending: false });
  expect(shown).toMatchObject({ status: 200, data: [{ id: 4 }, { id: 3 }] });
  expect((await books().update({}).eq("id", 1).select()).data).toEqual([]);
  expect((await books().update({ title: "w" }).eq("id", 99).select()).data).toEqual([]);
  expect(await books().delete({ count: "exact" }).eq("id", 1)).toMatchObject({
    status: 204,
    count: 1,
  });
  expect((await books().delete().gte("id", 2).select("id").order("id")).data).toEqual([
    { id: 2 },
    { id: 3 },
    { id: 4 },
  ]);
});

test("maxAffected and single roll a change back", async ({ books }) => {
  const many = await books().update({ title: "all" }).gte("id", 1).maxAffected(3);
  expect(many).toMatchObject({
    status: 400,
    error: { code: "PGRST124", details: "The query affects 4 rows" },
  });
  const single = await books().update({ title: "all" }).gte("id", 1).select().single();
  expect(single).toMatchObject({ status: 406, error: { code: "PGRST116" } });
  expect((await books().select("title").eq("title", "all")).data).toEqual([]);
  expect((await books().delete().eq("id", 1).maxAffected(1)).status).toBe(204);
});
