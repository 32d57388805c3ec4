import { notice } from "#tests/support/browser/account.ts";
import {
  action,
  card,
  expectOpen,
  noteIn,
  openMessage,
  pane,
  rowLink,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

// What may happen while a message is open.

const board = useBoard();

const many = Array.from({ length: 30 }, (_, index) => `زائر ${index}`);
const phone = { viewport: { width: 360, height: 740 } };

test("on a phone the list is where it was, also after an action on what was open @scripts", async () => {
  await board.store(many);
  const page = await board.open(phone);
  await expect(liveBadge(page)).toBeVisible();
  await rowLink(page, "زائر 12").scrollIntoViewIfNeeded();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  await rowLink(page, "زائر 12").click();
  await expect(pane(page).getByRole("heading", { name: "زائر 12" })).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(0);
  await action(page, "تم الرد").press("Enter");
  await expectOpen(page, "زائر 13");
  await pane(page).getByRole("link", { name: "الأقدم" }).click();
  await expectOpen(page, "زائر 14");
  await pane(page)
    .getByRole("link", { name: /^الرسائل/ })
    .click();
  await expect(rowLink(page, "زائر 14")).toBeFocused();
  expect(await page.evaluate(() => scrollY)).toBe(before);
});

test("a message that arrives above a scrolled list does not move it @scripts", async () => {
  for (const anchors of [true, false]) {
    await board.store(many);
    const page = await board.open({ viewport: { width: 1280, height: 700 } });
    await expect(liveBadge(page)).toBeVisible();
    if (!anchors) {
      // As in Safari.
      await page.evaluate(() => {
        document.documentElement.style.overflowAnchor = "none";
        CSS.supports = () => false;
      });
    }
    await rowLink(page, "زائر 12").scrollIntoViewIfNeeded();
    const place = async () => (await card(page, "زائر 12").boundingBox())?.y ?? 0;
    const before = await place();
    await storeMessages(board.site.dataDir, [
      { name: "ريم", email: "reem@example.com", message: "سلام" },
    ]);
    await expect(card(page, "ريم")).toHaveCount(1);
    expect(Math.abs((await place()) - before)).toBeLessThan(1);
    await page.context().close();
  }
});

test("a message that is deleted elsewhere stays open with its draft, and says so @scripts", async () => {
  await board.store(["نورة", "سعد"]);
  const page = await board.open({ viewport: { width: 1280, height: 900 } });
  await expect(liveBadge(page)).toBeVisible();
  await openMessage(page, "سعد");
  await noteIn(page).fill("لا تضيع");
  await withSuperuser(
    board.site.dataDir,
    (sql) => sql`delete from public.contact_messages where name = 'سعد'`,
  );
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  await expect(card(page, "سعد")).toHaveCount(0);
  await expect(pane(page).getByText("حُذفت هذه الرسالة نهائيًا")).toBeVisible();
  await expect(noteIn(page)).toHaveValue("لا تضيع");
  await expect(action(page, "أرشفة")).toHaveCount(0);
  await pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();
  await expect(pane(page).getByRole("alert")).toContainText("حُذفت الرسالة نهائيًا");
  await expect(noteIn(page)).toHaveValue("لا تضيع");
});

test("a live update during an action scrolls nothing @scripts", async () => {
  await board.store(many);
  const page = await board.open({ viewport: { width: 1280, height: 700 } });
  await expect(liveBadge(page)).toBeVisible();
  await rowLink(page, "زائر 12").scrollIntoViewIfNeeded();
  await rowLink(page, "زائر 12").click();
  const before = await page.evaluate(() => scrollY);
  expect(before).toBeGreaterThan(500);
  const gate = Promise.withResolvers<void>();
  await page.route(/\/admin\.data\?.*done=/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const loading = page.waitForRequest(/\/admin\.data\?.*done=/);
  await action(page, "تم الرد").press("Enter");
  await loading;
  await page.evaluate(() => dispatchEvent(new Event("focus")));
  // What would be read again is asked for by now.
  await page.waitForTimeout(1200);
  gate.resolve();
  await expectOpen(page, "زائر 13");
  await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();
  expect(await page.evaluate(() => scrollY)).toBe(before);
});
