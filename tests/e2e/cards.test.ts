import { openMessage, pane, useBoard } from "#tests/support/browser/board.ts";
import { cardOf, expect, type MessageText, newMessage, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

test("marks stacked on a letter are drawn within their card only", async () => {
  const { site } = board;
  await deleteMessages(site.dataDir);
  const piled = { ...newMessage(), name: `ع${"\u0610".repeat(45)}${"\u0655".repeat(45)}` };
  const nameless = { ...newMessage(), name: "\u0483\u0484".repeat(50) };
  await storeMessages(site.dataDir, [piled, nameless]);
  const page = await board.open();
  const cardBy = ({ email }: MessageText) =>
    page.getByRole("article").filter({ has: page.getByRole("link", { name: email }) });
  const card = cardBy(piled);
  for (const text of [
    card.getByRole("heading"),
    card.getByText(piled.message.split("\n")[0] ?? ""),
  ]) {
    expect(await text.evaluate(isClipped)).toBe(true);
  }
  const row = await cardBy(nameless).boundingBox();
  const time = await cardBy(nameless).getByRole("time").boundingBox();
  expect(row?.height).toBeGreaterThan(60);
  expect(row?.height).toBeLessThanOrEqual(111);
  expect(time?.width).toBeLessThanOrEqual(row?.width ?? 0);
});

/** Evaluated in the page. Returns whether a box in the card clips what an element draws outside of it. */
function isClipped(text: Element) {
  for (let box: Element | null = text; box && box.tagName !== "ARTICLE"; box = box.parentElement) {
    const { overflowY, contain } = getComputedStyle(box);
    if (overflowY !== "visible" || contain.includes("paint")) {
      return true;
    }
  }
  return false;
}

test("a very long message is cut in its row, and scrolls in its pane, by keyboard too", async () => {
  const { site } = board;
  await deleteMessages(site.dataDir);
  const long = { ...newMessage(), message: `أول${"\n".repeat(4900)}آخر` };
  await storeMessages(site.dataDir, [long, newMessage()]);
  const page = await board.open();
  expect((await cardOf(page, long).boundingBox())?.height).toBeLessThan(150);
  await openMessage(page, long.name);
  const top = () => pane(page).evaluate(({ scrollTop }) => scrollTop);
  expect(await top()).toBe(0);
  await pane(page).getByRole("link", { name: "ردّ بالبريد" }).focus();
  await page.keyboard.press("End");
  await expect.poll(top).toBeGreaterThan(100_000);
  expect(await page.evaluate(() => scrollY)).toBe(0);
});
