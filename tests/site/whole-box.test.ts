import { expect, test } from "vitest";
import { alertOf, useOwnedInbox } from "#tests/support/owned-inbox.ts";

const { owner, store, storeOne, sql, undo, next, doneOf } = useOwnedInbox();

const states = async () => {
  const rows = await sql(
    "select state, count(*)::integer from public.contact_messages group by 1 order by 1",
  );
  return rows.map(({ state, count }) => [state, count]);
};

/** What the checkbox of the selection's bar sends. */
async function untilOf(path: string): Promise<string> {
  const { text } = await owner.get(path);
  return /name="until" value="([^"]+)"/.exec(text)?.[1] ?? "";
}

test("without scripts the whole box is answered, but for what came since, and taken back", async () => {
  await store(60);
  const { text } = await owner.get("/admin?select=1");
  expect(text).toContain("كل الصندوق (<!-- -->٦٠<!-- -->)");
  const until = await untilOf("/admin?select=1");
  await store(1, { created_at: new Date(Date.now() + 60_000) });
  const answer = await owner.post("/admin", { action: "answer", until });
  expect(answer.status).toBe(302);
  expect(await states()).toEqual([
    ["answered", 60],
    ["waiting", 1],
  ]);
  expect((await undo(doneOf(answer))).status).toBe(302);
  expect(await states()).toEqual([["waiting", 61]]);
});

test("a search has no whole, nor has a box that the page shows whole", async () => {
  await store(60);
  expect(await untilOf(encodeURI("/admin?select=1&q=رسالة"))).toBe("");
  const until = await untilOf("/admin?select=1");
  const refused = await owner.post(encodeURI("/admin?q=رسالة"), { action: "trash", until });
  expect([refused.status, alertOf(refused)]).toEqual([400, "حدّد رسائل من نتائج البحث"]);
  expect((await owner.post("/admin", { action: "unspam", until })).status).toBe(400);
  expect(await states()).toEqual([["waiting", 60]]);
  expect(await untilOf("/admin?select=1&box=trash")).toBe("");
});

test("an undo of one message opens it again", async () => {
  const id = await storeOne();
  await store(2);
  const done = await owner.post("/admin", { action: "archive", one: id });
  expect(next(done).searchParams.get("open")).toBeNull();
  expect(next(await undo(doneOf(done))).searchParams.get("open")).toBe(id);
});
