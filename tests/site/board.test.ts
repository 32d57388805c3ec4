import { afterAll, beforeAll, expect, test } from "vitest";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp, type Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
}, 60_000);
afterAll(() => site?.stop());

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
