import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readMessages } from "#tests/support/messages.ts";
import { alertOf, useOwnedInbox } from "#tests/support/owned-inbox.ts";

const { site, owner, sql, store, storeOne, noteOf, save, undo, doneOf } = useOwnedInbox();
const now = new Date().toISOString();

describe("a note", () => {
  test("is saved over the one before, and an empty one deletes it, without an undo", async () => {
    const id = await storeOne({ note: "أولى" });
    for (const [text, said] of [
      ["ثانية", "حُفظت الملاحظة"],
      ["ثانية", "حُفظت الملاحظة"],
      ["ثالثة", "حُفظت الملاحظة"],
      [" ", "حُذفت الملاحظة"],
    ] as const) {
      const saved = await save(id, text);
      expect([saved.status, await noteOf(id)]).toEqual([302, text.trim() || null]);
      const page = await owner.get(saved.headers.location ?? "");
      expect([page.text.includes(said), page.text.includes('name="undo"')]).toEqual([true, false]);
      const late = await undo(doneOf(saved));
      expect([late.status, alertOf(late)]).toEqual([
        409,
        "لا يمكن التراجع بعد الآن. غيّر الرسائل من صندوقها.",
      ]);
    }
  });
});

describe("a note of a message that the list does not show", () => {
  test("is saved, in whatever box the message lies", async () => {
    for (const [path, state] of [
      ["/admin?box=archived", {}],
      ["/admin?box=trash", { archived_at: now }],
      ["/admin?", { spam_signs: ["links"] }],
      ["/admin?q=%D8%B2%D8%A7%D8%A6%D8%B1&box=spam", { deleted_at: now }],
    ] as const) {
      const id = await storeOne(state);
      const saved = await save(id, "نص\nطويل", path);
      expect([path, saved.status, await noteOf(id)]).toEqual([path, 302, "نص\nطويل"]);
      const { text } = await owner.get(saved.headers.location ?? "");
      expect(text).toContain(">نص\nطويل</textarea>");
    }
  });

  test("keeps its text, also if the message was deleted", async () => {
    const gone = await save(randomUUID(), "نص");
    expect([gone.status, alertOf(gone)]).toEqual([409, "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا."]);
    expect(gone.text).toContain(">نص</blockquote>");
    const id = await storeOne({ created_at: "2020-01-01T00:00:00Z" });
    await store(50);
    const long = "ن".repeat(2001);
    const refused = await save(id, long);
    expect([refused.status, alertOf(refused)]).toEqual([400, "الملاحظة طويلة: ٢٬٠٠٠ حرف على الأكثر"]);
    expect(refused.text).toContain(`>${long}</textarea>`);
  });
});

describe("an undo", () => {
  test("that was used, or that comes after another change, does nothing and says so", async () => {
    const id = await storeOne();
    const said = "تراجعت عن هذا من قبل، أو جاء بعده تغيير آخر";
    const archived = doneOf(await owner.post("/admin", { action: "archive", one: id }));
    expect((await undo(archived)).status).toBe(302);
    await owner.post("/admin", { action: "archive", one: id });
    const late = await undo(archived);
    expect([late.status, alertOf(late)]).toEqual([409, expect.stringContaining(said)]);
    expect(await readMessages(site.dataDir)).toMatchObject([{ archived_at: expect.any(Date) }]);
  });

  test("that is pressed twice at once takes effect once", async () => {
    const id = await storeOne();
    const token = doneOf(await owner.post("/admin", { action: "trash", one: id }));
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(token)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([302, 409, 409, 409, 409, 409]);
  });
});

test("a note is refused with a reason where nobody owns the inbox, and keeps its text", async () => {
  await sql("delete from private.site_owner");
  const id = await storeOne();
  const refused = await save(id, "ملاحظتي");
  expect(refused.status).toBe(403);
  expect(alertOf(refused)).toContain("لا يغيّر الرسائل إلا صاحب الصندوق");
  expect(refused.text).toContain(">ملاحظتي</blockquote>");
  const scripted = await save(id, "ملاحظتي", "/admin.data?");
  expect([scripted.status, scripted.text.includes("إلا صاحب الصندوق")]).toEqual([403, true]);
});
