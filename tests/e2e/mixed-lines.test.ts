import { card, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

test("brackets after a Latin word stand where their line is read, whatever the line before @once", async () => {
  const name = "ليلى";
  await deleteMessages(board.site.dataDir);
  const message = "We need a page\nنحتاج PostgreSQL (نسخة 18).";
  await storeMessages(board.site.dataDir, [{ name, email: "layla@example.com", message }]);
  const page = await board.open();
  const text = card(page, name).getByText(message);
  const leftOf = (letter: string) =>
    text.evaluate((element, at) => {
      const [content] = element.childNodes;
      const range = document.createRange();
      range.setStart(content ?? element, at);
      range.setEnd(content ?? element, at + 1);
      return range.getBoundingClientRect().left;
    }, message.indexOf(letter));
  expect(await leftOf("(")).toBeLessThan(await leftOf("P"));
  await toggle(card(page, name));
  expect(await leftOf("(")).toBeLessThan(await leftOf("P"));
});
