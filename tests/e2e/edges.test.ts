import { notice } from "#tests/support/browser/account.ts";
import { card, press, toggle, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";

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

test("in one column the notice covers no action of the next message, and no toast covers either @scripts", async () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 412, height: 915 },
    { width: 768, height: 1024 },
    { width: 820, height: 1180 },
  ]) {
    await board.store(["نورة", "سعد", "ليلى"]);
    const page = await board.open({ viewport });
    await expect(liveBadge(page)).toBeVisible();
    await press(card(page, "نورة"), "أرشفة");
    const bar = await notice(page, "أُرشفت رسالة واحدة").boundingBox();
    const actions = card(page, "سعد").locator(".actions");
    await expect(actions).toBeVisible();
    const top = (await actions.boundingBox())?.y;
    expect((bar?.y ?? 0) + (bar?.height ?? 0), `${viewport.width}`).toBeLessThanOrEqual(top ?? 0);
    const row = { name: "ريم", email: "reem@example.com", message: "سلام" };
    await storeMessages(board.site.dataDir, [row]);
    // It rises to its place.
    const toastEnds = async () => {
      const toast = await notice(page, "رسالة جديدة!").boundingBox();
      return (toast?.y ?? 0) + (toast?.height ?? 0);
    };
    await expect.poll(toastEnds).toBeLessThanOrEqual(bar?.y ?? 0);
    await page.context().close();
  }
});

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
