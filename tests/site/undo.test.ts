import { describe, expect, test } from "vitest";
import { readMessages } from "#tests/support/messages.ts";
import { alertOf, useOwnedInbox } from "#tests/support/owned-inbox.ts";

const { inbox, storeOne, noteOf, save, undo, doneOf } = useOwnedInbox();

describe("an undo", () => {
  test("of a note restores the previous note, and can itself be undone", async () => {
    const id = await storeOne({ note: "الأصل" });
    const saved = await save(id, "الجديدة", "الأصل", "/admin?box=waiting");
    const page = await inbox.owner.get(saved.headers.location ?? "");
    expect(page.text.includes("حُفظت الملاحظة")).toBe(true);
    expect(page.text).toMatch(
      new RegExp(`<button(?=[^>]*name="undo")[^>]*value="${doneOf(saved)}"`),
    );
    const undone = await inbox.owner.post("/admin?box=waiting", { undo: doneOf(saved) });
    expect([undone.status, await noteOf(id)]).toEqual([302, "الأصل"]);
    expect((await inbox.owner.get(undone.headers.location ?? "")).text).toContain(
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
    const archived = doneOf(await inbox.owner.post("/admin", { one: `archive:${id}` }));
    expect((await undo(archived)).status).toBe(302);
    await inbox.owner.post("/admin", { one: `archive:${id}` });
    for (const token of [saved, archived]) {
      const late = await undo(token);
      expect([late.status, alertOf(late)]).toEqual([409, expect.stringContaining(said)]);
    }
    expect(await readMessages(inbox.site.dataDir)).toMatchObject([
      { note: "ثانية", archived_at: expect.any(Date) },
    ]);
  });

  test("that is pressed twice at once takes effect once", async () => {
    const id = await storeOne();
    const token = doneOf(await inbox.owner.post("/admin", { one: `trash:${id}` }));
    const answers = await Promise.all(Array.from({ length: 6 }, () => undo(token)));
    const statuses = answers.map(({ status }) => status).toSorted();
    expect(statuses).toEqual([302, 409, 409, 409, 409, 409]);
  });
});
