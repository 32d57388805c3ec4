import type { Page } from "playwright/test";
import {
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

const digits = new Intl.NumberFormat("ar-SA-u-nu-arab");

const spam = () => ({ ...newMessage(), message: "http://a.example ".repeat(5) });

const box = (page: Page, name: string) =>
  page.getByRole("navigation", { name: "الصناديق" }).getByRole("link", { name });

test("the boxes' counts are live on every page of the board @scripts", async ({
  browser,
  start,
}) => {
  test.slow();
  const site = await start();
  const page = await browser.newPage({ baseURL: site.url });
  const { request } = page;
  const texts = Array.from({ length: 55 }, () => newMessage());
  await postMessages(request, site, [...texts, spam()]);
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  const expectCounts = async (messages: number, spams: number) => {
    await expect(box(page, "الرسائل")).toContainText(digits.format(messages));
    await expect(box(page, "المزعجة")).toContainText(digits.format(spams));
  };
  await expectCounts(55, 1);
  await postMessages(request, site, [newMessage(), spam()]);
  await expectCounts(56, 2);
  await page.getByRole("link", { name: "رسائل أقدم" }).click();
  await expect(page.getByRole("article")).toHaveCount(6);
  await postMessages(request, site, [newMessage(), spam()]);
  await expectCounts(57, 3);
  await box(page, "المزعجة").click();
  await expect(page.getByRole("article")).toHaveCount(3);
  await postMessages(request, site, [newMessage(), spam()]);
  await expectCounts(58, 4);
  await expect(page.getByRole("article")).toHaveCount(4);
});
