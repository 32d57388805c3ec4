import { randomUUID } from "node:crypto";
import { describe, expect, test } from "vitest";
import { storeMessages } from "#tests/support/messages.ts";
import { alertOf, useOwnedInbox } from "#tests/support/owned-inbox.ts";
import { startSite } from "#tests/support/site.ts";
import { type Answer, signedUp } from "#tests/support/visitor.ts";

const { inbox, store, storeOne, noteOf, save, undo, doneOf } = useOwnedInbox();
const now = new Date().toISOString();

const hidden = ({ text }: Answer, name: string) =>
  text.match(new RegExp(`<input type="hidden" name="${name}" value="([^"]*)"`))?.[1];

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
    const again = await inbox.owner.post("/admin", {
      id,
      note: "من الثاني",
      stamp: hidden(refused, "stamp") ?? "",
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
      const { text } = await inbox.owner.get(again.headers.location ?? "");
      expect([text.includes("حُفظت الملاحظة"), text.includes('name="undo"')]).toEqual([true, false]);
      expect([(await undo(doneOf(again))).status, await noteOf(id)]).toEqual([409, "ثانية"]);
    }
    expect([(await undo(doneOf(second))).status, await noteOf(id)]).toEqual([302, "أولى"]);
    await save(id, "", "أولى");
    const empty = await save(id, "");
    const { text } = await inbox.owner.get(empty.headers.location ?? "");
    expect([text.includes("حُذفت الملاحظة"), text.includes('name="undo"')]).toEqual([true, false]);
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

describe("a note of a message that the page does not show", () => {
  test("is refused as the other actions are, and keeps its text", async () => {
    for (const [path, state] of [
      ["/admin?box=archived", {}],
      ["/admin?box=trash", { archived_at: now }],
      ["/admin", { spam_signs: ["links"] }],
      ["/admin?q=%D8%B2%D8%A7%D8%A6%D8%B1&box=spam", { deleted_at: now }],
    ] as const) {
      const id = await storeOne(state);
      const refused = await save(id, "نص\nطويل", null, path);
      expect([path, refused.status, await noteOf(id)]).toEqual([path, 409, null]);
      expect(alertOf(refused)).toContain("لم تعد الرسالة في هذا الصندوق");
      expect(refused.text).toContain(">نص\nطويل</textarea>");
      const again = { id, note: "نص\nطويل", stamp: "", anywhere: "" };
      const saved = await inbox.owner.post(path, again);
      expect([path, saved.status, await noteOf(id)]).toEqual([path, 302, "نص\nطويل"]);
    }
  });

  test("reports whether the message was deleted or moved to another page", async () => {
    const gone = await inbox.owner.post("/admin", {
      id: randomUUID(),
      note: "نص",
      stamp: "",
      anywhere: "",
    });
    expect([gone.status, alertOf(gone)]).toEqual([409, "لم تُحفظ الملاحظة: حُذفت الرسالة نهائيًا."]);
    const id = await storeOne({ created_at: "2020-01-01T00:00:00Z" });
    await store(50);
    const long = "ن".repeat(2001);
    const refused = await save(id, long);
    expect([refused.status, alertOf(refused)]).toEqual([400, "الملاحظة طويلة: ٢٬٠٠٠ حرف على الأكثر"]);
    expect(refused.text).toContain(`>${long}</textarea>`);
  });

  test("is refused with a reason where nobody owns the inbox, and keeps its text", async () => {
    const unclaimed = await startSite();
    try {
      const visitor = await signedUp(unclaimed);
      const message = { name: "زائر", email: "a@example.com", message: "نص" };
      const [stored] = await storeMessages(unclaimed.dataDir, [message]);
      const id = stored?.id ?? "";
      const refused = await save(id, "ملاحظتي", null, "/admin", visitor);
      expect(refused.status).toBe(403);
      expect(alertOf(refused)).toContain("لا يغيّر الرسائل إلا صاحب الصندوق");
      expect(refused.text).toContain(">ملاحظتي</textarea>");
      const scripted = await save(id, "ملاحظتي", null, "/admin.data", visitor);
      expect([scripted.status, scripted.text.includes("إلا صاحب الصندوق")]).toEqual([403, true]);
    } finally {
      await unclaimed.stop();
    }
  }, 60_000);
});
