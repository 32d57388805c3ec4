import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { useSite } from "#tests/support/use-site.ts";
import { signedUp, type Visitor } from "#tests/support/visitor.ts";

const site = useSite();

const arabicDigits = "٠١٢٣٤٥٦٧٨٩";

/** The count of the box, and the number of messages on its page. */
async function readBoard(visitor: Visitor) {
  const { text } = await visitor.get("/admin");
  const shown = /الرسائل<span[^>]*>([٠-٩]+)</.exec(text)?.[1] ?? "";
  const count = Array.from(shown, (digit) => arabicDigits.indexOf(digit)).join("");
  return { count: Number(count), cards: text.match(/<article/g)?.length ?? 0 };
}

test("the count of the box matches its list while messages arrive", async () => {
  const visitor = await signedUp(site);
  // Less than a page, so that all are shown.
  const messages = Array.from({ length: 45 }, (_, index) => index);
  const seen: Awaited<ReturnType<typeof readBoard>>[] = [];
  for (const round of [1, 2, 3]) {
    const left = [...messages];
    const send = async () => {
      for (let next = left.pop(); next !== undefined; next = left.pop()) {
        const text = `رسالة ${round}-${next}`;
        const row = { name: text, email: "a@example.com", message: text };
        await storeMessages(site.dataDir, [row]);
      }
    };
    const read = async () => {
      while (left.length > 0) {
        seen.push(await readBoard(visitor));
      }
    };
    await Promise.all([send(), send(), send(), read(), read()]);
    expect(await readBoard(visitor)).toEqual({ count: 45, cards: 45 });
    await deleteMessages(site.dataDir);
  }
  expect(seen.length).toBeGreaterThan(10);
  expect(seen.filter(({ count, cards }) => count !== cards)).toEqual([]);
});

test("a board reports how far it was seen, and nothing else", async () => {
  const api = await openApi(site);
  const visitor = await signedUp(site);
  const state = async () => {
    const caller = api.as(visitor.session().access_token);
    return (await api.call(caller, "inbox_state")).json;
  };
  const seenAt = async () => (await state()).seen_at;
  expect(await seenAt()).toBeNull();
  const unknown = [
    "",
    "tomorrow",
    "2026-02-30T00:00:00Z",
    // The database cannot hold these moments.
    "0000-01-01T00:00:00Z",
    "2026-01-01T00:00:00+16:00",
    `2026-01-01T00:00:00.${"0".repeat(200)}Z`,
  ];
  for (const seen of unknown) {
    const refused = await visitor.post("/admin", { seen });
    expect(refused.status).toBe(400);
    expect(refused.text).toContain("Unexpected Application Error!");
    expect(refused.text).toContain("لم يقبل الموقع هذا الطلب.");
    const before = encodeURIComponent(`${seen}_${randomUUID()}`);
    expect((await visitor.get(`/admin?before=${before}`)).status).toBe(200);
  }
  expect(await seenAt()).toBeNull();
  const until = "2026-01-01T00:00:00.123456+00:00";
  expect((await visitor.post("/admin", { seen: until })).status).toBe(302);
  expect(await seenAt()).toBe(until);
});
