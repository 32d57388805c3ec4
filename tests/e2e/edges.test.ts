import { notice } from "#tests/support/browser/account.ts";
import { card, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

test("in two panes a long Latin name is cut at its end @once @layout", async () => {
  const name = "Zoë Alexandra O'Brien-Łukasz of the Greater Riyadh Chamber of Commerce";
  await board.store([name]);
  const page = await board.open({ viewport: { width: 1024, height: 900 } });
  const heading = card(page, name).getByRole("heading");
  const [firstLetter, box] = await heading.evaluate((element) => {
    const [text] = element.querySelector("bdi")?.childNodes ?? [];
    const range = document.createRange();
    range.setStart(text ?? element, 0);
    range.setEnd(text ?? element, 1);
    return [range.getBoundingClientRect().left, element.getBoundingClientRect().left];
  });
  expect(firstLetter).toBeGreaterThanOrEqual(box ?? 0);
});

test("in two panes the date does not cut the name above it @once @layout", async () => {
  const name = "نورة بنت عبدالعزيز السالم";
  await board.store([name]);
  const page = await board.open({ viewport: { width: 1024, height: 900 } });
  const text = card(page, name).getByRole("heading").locator("bdi");
  expect(await text.evaluate((box) => box.scrollWidth - box.clientWidth)).toBe(0);
});

test("a toast covers no link of the rail @scripts", async () => {
  for (const width of [1344, 1440, 2560]) {
    await board.store(["نورة"]);
    const page = await board.open({ viewport: { width, height: 900 } });
    await expect(liveBadge(page)).toBeVisible();
    const row = { name: "سعد", email: "saad@example.com", message: "سلام" };
    await storeMessages(board.site.dataDir, [row]);
    const toast = await notice(page, "رسالة جديدة!").boundingBox();
    const rail = await page.getByRole("banner").boundingBox();
    expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThan(rail?.x ?? 0);
    await page.context().close();
  }
});
