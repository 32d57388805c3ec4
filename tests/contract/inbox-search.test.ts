import { afterAll, expect, test } from "vitest";
import { startInbox, store } from "#tests/support/inbox.ts";

const { database, search } = await startInbox();
afterAll(() => database.close());

test("all words must be in the message, in any of its parts", async () => {
  const [id] = await store(database, [
    {
      name: "فهد القحطاني",
      email: "fahad@shop.example",
      message: "عباية وثياب",
      phone: "966551234567",
      note: "وعدته بعرض",
    },
  ]);
  const finds = async (query: string) =>
    (await search(query)).page.some((message) => message.id === id);
  for (const query of [
    "فهد عباية",
    "fahad@shop",
    "55123",
    "وعدته فهد",
    "ثياب shop بعرض عباية قحطان",
  ]) {
    expect([query, await finds(query)]).toEqual([query, true]);
  }
  for (const query of ["فهد قنفذ", "القحطاني fahad عرض ليس", "عباية%ثياب", "عباية_وثياب"]) {
    expect([query, await finds(query)]).toEqual([query, false]);
  }
});

test("a search stays in its box", async () => {
  const now = new Date();
  await store(database, [
    { message: "سلحفاة واحدة" },
    { message: "سلحفاة ثانية", answered_at: now },
    { message: "سلحفاة ثالثة", archived_at: now },
    { message: "سلحفاة رابعة", spam_signs: ["trap"] },
    { message: "سلحفاة خامسة", deleted_at: now },
  ]);
  const sizes: Record<string, number> = {};
  for (const box of ["any", "all", "waiting", "archived", "spam", "trash"]) {
    sizes[box] = (await search("سلحفاه", box)).page.length;
  }
  expect(sizes).toEqual({ any: 5, all: 2, waiting: 1, archived: 1, spam: 1, trash: 1 });
});

test.each(["", " ", "س", "س".repeat(101), "ا ب ج د ه و", "ًٌٍ", "ــ"])(
  "%j is no search",
  async (query) => {
    await expect(search(query)).rejects.toMatchObject({ code: "PT400" });
  },
);

test("an unknown box is refused", async () => {
  await expect(search("موقع", "other")).rejects.toMatchObject({ code: "PT400" });
});
