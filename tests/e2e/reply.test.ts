import type { Locator, Page } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { action, openMessage, pane, useBoard } from "#tests/support/browser/board.ts";
import { cardOf, expect, liveBadge, newMessage, test } from "#tests/support/browser/test.ts";
import { readMessages, storeMessages } from "#tests/support/messages.ts";

const owned = useBoard();

const phone = "966501234567";

async function leave(more: object = {}) {
  const text = newMessage();
  await storeMessages(owned.site.dataDir, [{ ...text, ...more }]);
  return text;
}

async function answeredAt(email: string) {
  const messages = await readMessages(owned.site.dataDir);
  return messages.find((message) => message.email === email)?.answered_at;
}

/** A link of the open message. */
const link = (page: Page, name: string) => pane(page).getByRole("link", { name, exact: true });

/** The link as the browser sends it. */
async function target(part: Locator): Promise<URL> {
  const sent = await part.evaluate((element: HTMLAnchorElement) => element.href);
  expect(sent).toMatch(/^[!-~]+$/);
  return new URL(sent);
}

test("a message has links to reply by mail and, with a number, by WhatsApp", async () => {
  const [text, without] = [await leave({ phone }), await leave()];
  const page = await owned.open();
  await openMessage(page, text.name);
  const mail = await target(link(page, "ردّ بالبريد"));
  expect(mail.protocol + mail.pathname).toBe(`mailto:${text.email}`);
  expect(mail.searchParams.get("subject")).toBe(`رد على رسالتك إلى ${owner.name}`);
  expect(mail.searchParams.get("body")).toBe(`\r\n\r\n> ${text.message.replace("\n", " ")}`);

  const chat = link(page, "ردّ بواتساب");
  const { host, pathname } = await target(chat);
  expect([host, pathname]).toEqual(["wa.me", `/${phone}`]);
  await expect(chat).toHaveAttribute("rel", "noreferrer");
  await expect(chat).toHaveAttribute("target", "_blank");
  const number = pane(page).locator("[dir=ltr]", { hasText: "+966 50 123 4567" });
  await expect(number).toBeVisible();
  await openMessage(page, without.name);
  await expect(link(page, "ردّ بالبريد")).toBeVisible();
  await expect(pane(page).getByText("بواتساب")).toHaveCount(0);
});

test("a tap on a reply link changes nothing; the message then offers to be marked as answered", async () => {
  const text = await leave({ phone });
  const referrers: (string | undefined)[] = [];
  const page = await owned.open();
  const context = page.context();
  await context.route("https://wa.me/**", async (route) => {
    referrers.push(route.request().headers()["referer"]);
    await route.fulfill({ body: "WhatsApp" });
  });
  await expect(liveBadge(page)).toBeVisible();
  await openMessage(page, text.name);
  const answered = action(page, "تم الرد");
  await expect(answered).not.toHaveAttribute("data-offered");
  const opened = context.waitForEvent("page");
  await link(page, "ردّ بواتساب").click();
  await (await opened).close();
  expect(referrers).toEqual([undefined]);
  expect(await answeredAt(text.email)).toBeNull();
  await expect(page.locator("[data-offered]")).toHaveCount(1);
  await answered.press("Enter");
  await expect(cardOf(page, text).getByText("تم الرد")).toBeVisible();
  expect(await answeredAt(text.email)).not.toBeNull();
});
