import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { deleteMessages, readMessages, storeMessages } from "#tests/support/messages.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { hidden } from "#tests/support/visitor.ts";

const { site, owner, sql } = useClaimedSite();

test("an address with a moment that the database cannot hold is the newest page", async () => {
  for (const moment of [
    "tomorrow",
    "2026-02-30T00:00:00Z",
    "0000-01-01T00:00:00Z",
    "2026-01-01T00:00:00+16:00",
    `2026-01-01T00:00:00.${"0".repeat(200)}Z`,
  ]) {
    const before = encodeURIComponent(`${moment}_${randomUUID()}`);
    expect((await owner.get(`/admin?before=${before}`)).status).toBe(200);
  }
});

const add = (count: number, column: string, value: string) =>
  sql(`insert into public.contact_messages (name, email, message, ${column})
    select 'ن', 'n@example.com', '${column}' || random(), ${value} from generate_series(1, ${count})`);

async function counts() {
  const [row] = await sql(`select
    (count(*) filter (where spam_signs is not null))::integer as spam,
    (count(deleted_at))::integer as trash, count(*)::integer as all from public.contact_messages`);
  return row;
}

test("a box that cannot be emptied is refused, and nothing is deleted", async () => {
  await add(3, "spam_signs", "array['trap']");
  await add(2, "deleted_at", "now()");
  await add(1, "archived_at", "now()");
  for (const box of ["all", "archived", "any", "x", ""]) {
    const page = await owner.get(`/admin/empty?box=${box}`);
    expect([page.status, page.text.includes("لا تُفرغ إلا")]).toEqual([400, true]);
    const form = { box, until: "2100-01-01T00:00:00Z" };
    const answer = await owner.post("/admin/empty?box=spam", form);
    expect([answer.status, answer.text.includes("لا تُفرغ إلا")]).toEqual([400, true]);
  }
  for (const until of ["yesterday", "0000-01-01T00:00:00Z"]) {
    const answer = await owner.post("/admin/empty?box=spam", { box: "spam", until });
    expect([answer.status, answer.text.includes("افتحها من جديد")]).toEqual([400, true]);
  }
  expect((await owner.post("/admin/empty")).status).toBe(400);
  expect(await counts()).toEqual({ spam: 3, trash: 2, all: 6 });
});

test("emptying deletes only what the box held when its page was shown", async () => {
  const { text } = await owner.get("/admin/empty?box=spam");
  expect(text).toContain("٣ رسائل");
  expect(text).toContain("لا يمكن التراجع");
  await add(1, "spam_signs", "array['haste']");
  const form = { box: hidden(text, "box"), until: hidden(text, "until") };
  const answer = await owner.post("/admin/empty?box=spam", form);
  expect([answer.status, answer.headers.location]).toEqual([302, "/admin?box=spam"]);
  expect((await owner.get("/admin?box=spam")).text).toContain("حُذفت نهائيًا: ٣ رسائل");
  expect(await counts()).toEqual({ spam: 1, trash: 2, all: 4 });
  await expect
    .poll(() => site.output())
    .toMatch(/A box was emptied account=\S+ box=spam deleted=3/);
});

test("the trash is emptied of what was in it then, and at last has nothing to empty", async () => {
  const { text } = await owner.get("/admin/empty?box=trash");
  expect(text).toContain("رسالتان");
  // An older message, which is deleted later.
  await sql("update public.contact_messages set deleted_at = now() where archived_at is not null");
  await owner.post("/admin/empty?box=trash", { box: "trash", until: hidden(text, "until") });
  expect(await counts()).toEqual({ spam: 1, trash: 1, all: 2 });
  await sql("delete from public.contact_messages where deleted_at is not null");
  const page = await owner.get("/admin/empty?box=trash");
  expect(page.text).toContain("لا شيء فيه ليُحذف");
  expect(hidden(page.text, "until")).toBe("");
});

// A minute less, so that no day ends while the test runs.
const ago = (days: number) => new Date(Date.now() - days * 24 * 60 * 60 * 1000 + 60_000);

test("rows of the trash say when they end, and those of spam why they are there", async () => {
  await deleteMessages(site.dataDir);
  const text = { name: "س", email: "a@example.com", message: "نص" };
  for (const state of [
    { deleted_at: ago(0) },
    { deleted_at: ago(28) },
    { deleted_at: ago(30) },
    { deleted_at: ago(1), expired_at: ago(1) },
    { spam_signs: ["links", "haste"] },
  ]) {
    await storeMessages(site.dataDir, [{ ...text, ...state }]);
  }
  const { text: trash } = await owner.get("/admin?box=trash");
  for (const end of ["تُحذف بعد ٣٠ يومًا", "تُحذف بعد يومين", "تُحذف اليوم", "انتهت مدتها"]) {
    expect(trash).toContain(end);
  }
  const { text: spam } = await owner.get("/admin?box=spam");
  expect(spam).toContain(">روابط كثيرة<");
  const marked = (await readMessages(site.dataDir)).find((one) => one.deleted_at === null);
  const { text: open } = await owner.get(`/admin?box=spam&open=${marked?.id}`);
  expect(open).toContain("فيها روابط كثيرة، وأُرسلت أسرع مما يكتب الناس");
  for (const link of ["/admin/export?box=spam&amp;format=xlsx", "/admin/empty?box=spam"]) {
    expect(spam).toContain(`href="${link}"`);
  }
  await deleteMessages(site.dataDir);
});

test("one form empties a large box in batches", async () => {
  await deleteMessages(site.dataDir);
  await add(2500, "deleted_at", "now()");
  // PostgreSQL updates its statistics within a minute. With those of an almost empty table its plan is slow.
  await sql("analyze public.contact_messages");
  const { text } = await owner.get("/admin/empty?box=trash");
  expect(text).toContain("٢٬٥٠٠ رسالة");
  const form = { box: "trash", until: hidden(text, "until") };
  expect((await owner.post("/admin/empty?box=trash", form)).status).toBe(302);
  expect((await counts())?.trash).toBe(0);
});

test("a page that a browser fetches ahead of time marks nothing as seen", async () => {
  const ahead = { "Sec-Purpose": "prefetch;prerender" };
  await deleteMessages(site.dataDir);
  await owner.get("/admin");
  await storeMessages(site.dataDir, [{ name: "س", email: "a@example.com", message: "جديدة" }]);
  for (const headers of [ahead, {}]) {
    expect((await owner.get("/admin", headers)).text).toContain("<title>(١) ");
  }
  expect((await owner.get("/admin")).text).not.toContain("<title>(");
});
