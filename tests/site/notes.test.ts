import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { readMessages } from "#tests/support/messages.ts";
import { alertOf, useOwnedInbox } from "#tests/support/owned-inbox.ts";
import { hidden } from "#tests/support/visitor.ts";

const { site, owner, sql, store, storeOne, noteOf, save, undo, doneOf } = useOwnedInbox();
const now = new Date().toISOString();

describe("a note of another page", () => {
  test("is not overwritten: both notes are shown, and the next save decides", async () => {
    const id = await storeOne();
    expect((await save(id, "من الأول")).status).toBe(302);
    const refused = await save(id, "من الثاني");
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("لم تُحفظ ملاحظتك: كُتبت غيرها من صفحة أخرى");
    expect(refused.text).toMatch(/<blockquote[^>]*>.*من الأول<\/blockquote>/);
    expect(refused.text).toContain(">من الثاني</textarea>");
    expect(await noteOf(id)).toBe("من الأول");
    const again = await owner.post("/admin", {
      id,
      note: "من الثاني",
      stamp: hidden(refused.text, "stamp"),
    });
    expect([again.status, await noteOf(id)]).toEqual([302, "من الثاني"]);
  });

  test("is not deleted by a page that saw another note, and a deletion is reported", async () => {
    const id = await storeOne({ note: "أولى" });
    expect((await save(id, "ثانية", "أولى")).status).toBe(302);
    const refused = await save(id, "", "أولى");
    expect([refused.status, await noteOf(id)]).toEqual([409, "ثانية"]);
    expect(refused.text).toContain("لم تُحذف الملاحظة");
    expect((await save(id, "", "ثانية")).status).toBe(302);
    const late = await save(id, "ثالثة", "ثانية");
    expect([late.status, await noteOf(id)]).toEqual([409, null]);
    expect(late.text).toContain("حُذفت الملاحظة من صفحة أخرى");
    expect(late.text).toContain(">ثالثة</textarea>");
  });

  test("that is equal already counts as saved, without an undo", async () => {
    const id = await storeOne();
    await save(id, "أولى");
    const second = await save(id, "ثانية", "أولى");
    for (const seen of ["ثانية", "أولى"]) {
      const again = await save(id, "ثانية", seen);
      expect(again.status).toBe(302);
      const { text } = await owner.get(again.headers.location ?? "");
      expect([text.includes("حُفظت الملاحظة"), text.includes('name="undo"')]).toEqual([true, false]);
      expect([(await undo(doneOf(again))).status, await noteOf(id)]).toEqual([409, "ثانية"]);
    }
    expect([(await undo(doneOf(second))).status, await noteOf(id)]).toEqual([302, "أولى"]);
    await save(id, "", "أولى");
    const empty = await save(id, "");
    const { text } = await owner.get(empty.headers.location ?? "");
    expect([text.includes("حُذفت الملاحظة"), text.includes('name="undo"')]).toEqual([true, false]);
  });

  test("with a stamp that no page has is refused", async () => {
    const id = await storeOne();
    for (const stamp of ["\0", "x", "'", "a".repeat(100)]) {
      const { status } = await owner.post("/admin", { id, note: "ملاحظة", stamp });
      expect([stamp, status, await noteOf(id)]).toEqual([stamp, 400, null]);
    }
  });

  test("is saved once if many are sent at once", async () => {
    const id = await storeOne();
    const texts = Array.from({ length: 8 }, (_, index) => `ملاحظة ${index}`);
    const answers = await Promise.all(texts.map((text) => save(id, text)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 302)).toHaveLength(1);
    expect(await noteOf(id)).toBe(texts[statuses.indexOf(302)]);
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
      const saved = await save(id, "نص\nطويل", null, path);
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
  test("of a note restores the previous note, and can itself be undone", async () => {
    const id = await storeOne({ note: "الأصل" });
    const saved = await save(id, "الجديدة", "الأصل", "/admin?box=waiting");
    const page = await owner.get(saved.headers.location ?? "");
    expect(page.text.includes("حُفظت الملاحظة")).toBe(true);
    expect(page.text).toMatch(
      new RegExp(`<button(?=[^>]*name="undo")[^>]*value="${doneOf(saved)}"`),
    );
    const undone = await owner.post("/admin?box=waiting", { undo: doneOf(saved) });
    expect([undone.status, await noteOf(id)]).toEqual([302, "الأصل"]);
    expect((await owner.get(undone.headers.location ?? "")).text).toContain(
      "عادت الملاحظة كما كانت",
    );
    expect((await undo(doneOf(undone))).status).toBe(302);
    expect(await noteOf(id)).toBe("الجديدة");
    expect((await undo(doneOf(await save(id, "", "الجديدة")))).status).toBe(302);
    expect(await noteOf(id)).toBe("الجديدة");
  });

  test("that was used, or that comes after another change, does nothing and says so", async () => {
    const id = await storeOne();
    const said = "تراجعت عن هذا من قبل، أو جاء بعده تغيير آخر";
    const saved = doneOf(await save(id, "أولى"));
    expect((await undo(saved)).status).toBe(302);
    await save(id, "ثانية");
    const archived = doneOf(await owner.post("/admin", { one: `archive:${id}` }));
    expect((await undo(archived)).status).toBe(302);
    await owner.post("/admin", { one: `archive:${id}` });
    for (const token of [saved, archived]) {
      const late = await undo(token);
      expect([late.status, alertOf(late)]).toEqual([409, expect.stringContaining(said)]);
    }
    expect(await readMessages(site.dataDir)).toMatchObject([
      { note: "ثانية", archived_at: expect.any(Date) },
    ]);
  });

  test("that is pressed twice at once takes effect once", async () => {
    const id = await storeOne();
    const token = doneOf(await owner.post("/admin", { one: `trash:${id}` }));
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
  const scripted = await save(id, "ملاحظتي", null, "/admin.data?");
  expect([scripted.status, scripted.text.includes("إلا صاحب الصندوق")]).toEqual([403, true]);
});
