import type { Page, Response } from "playwright/test";
import { useBoard } from "#tests/support/browser/board.ts";
import {
  become,
  cardOf,
  expect,
  liveBadge,
  type MessageText,
  newMessage,
  openLive,
  postMessages,
  test,
} from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

const line = (page: Page) => page.getByText("الجديد منذ زيارتك الأخيرة");
const title = "لوحة الرسائل";
const spamTitle = `المزعجة · ${title}`;

/** A reading, by which what it shows counts as seen. */
const isRead = (answer: Response) => answer.url().includes("/admin.data");

/** The line ends the message above it. This one follows. */
const isBelow = (page: Page, text: MessageText) =>
  expect(
    page
      .getByRole("listitem")
      .filter({ has: line(page) })
      .locator("+ li")
      .getByRole("heading", { name: text.name }),
  ).toHaveCount(1);

test("messages since the last visit are above a line and counted in the title", async ({
  request,
}) => {
  const send = (...texts: MessageText[]) => postMessages(request, board.site, texts);
  await board.store(["أقدم"]);
  const old = newMessage("قديمة");
  await send(old);
  const page = await board.open();
  await expect(page).toHaveTitle(title);
  await expect(line(page)).toHaveCount(0);
  await page.goto("/account");

  await send(newMessage("أولى"));
  await page.goto("/admin?box=spam");
  await expect(page).toHaveTitle(`(١) ${spamTitle}`);
  await page.goto("/admin");
  await expect(page).toHaveTitle(`(١) ${title}`);
  await isBelow(page, old);
  await expect(liveBadge(page)).toBeVisible();
  await send(newMessage("ثانية"));
  await expect(page).toHaveTitle(`(٢) ${title}`);
  await isBelow(page, old);
  // A load changes neither.
  await board.sql(
    `update public.contact_messages set answered_at = now() where name = '${old.name}'`,
  );
  await expect(cardOf(page, old)).toContainText("تم الرد");
  await expect(page).toHaveTitle(`(٢) ${title}`);
  await isBelow(page, old);
  await page.reload();
  await expect(page).toHaveTitle(title);
  await expect(line(page)).toHaveCount(0);
});

test("a board in the background marks nothing as seen", async ({ request }) => {
  await board.store([]);
  const page = await board.open();
  const { site } = board;
  await openLive(page);
  await become(page, "hidden");
  await postMessages(request, site, [newMessage("سابقة"), newMessage()]);
  await expect(page).toHaveTitle(`(٢) ${title}`);

  const phone = await page.context().newPage();
  await phone.goto("/admin?box=spam");
  await expect(phone).toHaveTitle(`(٢) ${spamTitle}`);
  await expect(liveBadge(phone)).toBeVisible();
  await become(phone, "hidden");
  await postMessages(request, site, [newMessage("ثالثة")]);
  await expect(phone).toHaveTitle(`(٣) ${spamTitle}`);
  const read = page.waitForResponse(isRead);
  await become(page, "visible");
  await read;
  await phone.reload();
  await expect(phone).toHaveTitle(spamTitle);
  await expect(page).toHaveTitle(`(٣) ${title}`);
});

test("more new messages than a board keeps stay counted in the title, also after a load", async () => {
  await board.store([]);
  const page = await board.open();
  await openLive(page);
  const arrive = (count: number) =>
    storeMessages(
      board.site.dataDir,
      Array.from({ length: count }, () => ({ ...newMessage(), created_at: new Date() })),
    );
  await arrive(40);
  await expect(page).toHaveTitle(`(٤٠) ${title}`);
  // The list is full, and read again.
  const loaded = page.waitForResponse(/\/admin\.data/);
  await arrive(70);
  await loaded;
  await expect(page.getByRole("article")).toHaveCount(50);
  await expect(page).toHaveTitle(`(+٩٩) ${title}`);
});
