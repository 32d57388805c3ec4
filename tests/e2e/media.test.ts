import type { Locator } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { linkedChannels, shown } from "#app/content/shown.ts";
import { visibleAddress } from "#app/routes/home/visible-address.server.ts";
import { card, noteIn, openMessage, pane, useBoard } from "#tests/support/browser/board.ts";
import { isLarge } from "#tests/support/browser/content.ts";
import { expect, fillMessage, newMessage, sendMessage, test } from "#tests/support/browser/test.ts";

const board = useBoard();

test("with forced colours buttons keep a border and dots a shape", async ({ page }) => {
  await page.emulateMedia({ forcedColors: "active" });
  await page.goto("/");
  const services = page.getByRole("region", { name: "خدماتي" }).getByRole("link");
  const parts = [
    page.getByRole("button", { name: "إرسال الرسالة" }),
    page.getByRole("link", { name: "Start Your Project Today" }),
    page.getByRole("list", { name: "قنوات التواصل" }).getByRole("listitem").first().locator("> *"),
    page.getByRole("heading", { name: "راسلني" }).locator(".dot").first(),
    ...(await services.all()),
  ];
  for (const part of parts) {
    const border = await part.evaluate((element) => {
      const { borderTopWidth, borderTopStyle, borderTopColor } = getComputedStyle(element);
      return { width: Number.parseFloat(borderTopWidth), borderTopStyle, borderTopColor };
    });
    expect(border.width).toBeGreaterThan(0);
    expect(border).toMatchObject({ borderTopStyle: "solid" });
    expect(border.borderTopColor).toMatch(/^rgb\(/);
  }
  // The visitor's own colours do not go with the site's.
  for (const arrow of await services.locator("svg").all()) {
    const colours = await arrow.evaluate((icon) =>
      [icon, icon.parentElement ?? icon].map((element) => getComputedStyle(element).color),
    );
    expect(colours[0]).toBe(colours[1]);
  }
});

const outline = (part: Locator) =>
  part.evaluate((element) => getComputedStyle(element).outlineStyle);

test("with forced colours the current box and the open row differ, stars have a shape, and matches a ground", async () => {
  await board.store(["نورة", "سعد"]);
  const page = await board.open();
  await page.emulateMedia({ forcedColors: "active" });
  expect(await outline(page.getByRole("link", { name: /^الرسائل/ }))).toBe("solid");
  expect(await outline(page.getByRole("link", { name: "المزعجة" }))).toBe("none");
  await openMessage(page, "نورة");
  expect(await outline(card(page, "نورة"))).toBe("solid");
  expect(await outline(card(page, "سعد"))).toBe("none");
  for (const star of await card(page, "سعد").locator(".star").all()) {
    const points = star.evaluate((one) => getComputedStyle(one, "::before").backgroundImage);
    expect(await points).toMatch(/^conic-gradient/);
  }
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const reply = pane(page).getByRole("link", { name: "ردّ بالبريد" });
  const colour = await reply.locator("svg").evaluate((icon) => getComputedStyle(icon).stroke);
  expect(Math.max(...(colour.match(/\d+/g)?.slice(0, 3).map(Number) ?? []))).toBeGreaterThan(200);
  await page.goto("/admin?q=سعد");
  const grounds = await page
    .locator("mark")
    .first()
    .evaluate((mark) =>
      [mark, mark.parentElement ?? mark].map((part) => getComputedStyle(part).backgroundColor),
    );
  expect(grounds[0]).not.toBe(grounds[1]);
});

test("the printed page is a card with all addresses as text, and no form", async ({
  page,
  site,
}) => {
  await page.emulateMedia({ media: "print", colorScheme: "dark" });
  await page.goto("/");
  await expect(page.getByRole("heading", { name: owner.name })).toBeVisible();
  const addresses = linkedChannels(owner.channels).map((one) => visibleAddress(one.icon, one.link));
  await expect(page.getByRole("definition")).toContainText(addresses);
  for (const { link } of shown(owner.works)) {
    await expect(page.getByText(link, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("textbox")).toHaveCount(0);
  await expect(page.getByRole("list", { name: "قنوات التواصل" })).toHaveCount(0);
  await expect(page.getByRole("button")).toHaveCount(0);
  await expect(page.getByRole("link", { name: "لوحة الرسائل" })).toHaveCount(0);
  await expect(page.locator("body")).toHaveCSS("color", "rgb(20, 35, 31)");

  const code = page.getByRole("img", { name: site.url });
  await expect(code).toBeVisible();
  await page.emulateMedia({ media: "screen" });
  await expect(code).toBeHidden();
  await page.getByText("بياناتي ورمز QR").click();
  await expect(code).toBeVisible();
});

test("the printed page is one sheet, also a wide one, and nothing runs out of it", async ({
  page,
}) => {
  test.skip(isLarge, "More content takes more sheets.");
  await page.emulateMedia({ media: "print" });
  for (const width of [720, 1100, 1280, 1600]) {
    await page.setViewportSize({ width, height: 900 });
    await page.goto("/");
    const outside = await page.locator(".book *").evaluateAll((elements) =>
      elements
        .filter((element) => {
          const { left, right, width: wide } = element.getBoundingClientRect();
          return wide > 0 && (left < 0 || right > window.innerWidth);
        })
        .map(({ className }) => String(className)),
    );
    expect([width, outside]).toEqual([width, []]);
  }
  await page.emulateMedia({ media: null });
  for (const landscape of [false, true]) {
    const sheet = await page.pdf({ format: "A4", landscape });
    const sheets = sheet.toString("latin1").match(/\/Type\s*\/Page\b/g);
    expect([landscape, sheets?.length]).toEqual([landscape, 1]);
  }
});

const hidden = (part: Locator) => part.evaluate((box) => box.scrollHeight - box.clientHeight);
const height = async (part: Locator) => (await part.boundingBox())?.height;

// The letters of some fonts reach out of their line.
const aLine = 10;

test("a sent message is printed whole, each line in its own direction", async ({ page }) => {
  await page.goto("/");
  const message = `Hello (x)\n${"سطر\n".repeat(60)}آخر`;
  await fillMessage(page, { ...newMessage(), message });
  await sendMessage(page);
  const sent = page.getByRole("definition").filter({ hasText: "سطر" });
  expect(await hidden(sent)).toBeGreaterThan(1000);
  await page.emulateMedia({ media: "print" });
  expect(await hidden(sent)).toBeLessThan(aLine);
  const end = await sent.evaluate((element) => {
    const range = document.createRange();
    range.selectNodeContents(element);
    range.setStart(range.endContainer.lastChild ?? element, 10);
    const rects = [...range.getClientRects()];
    return element.getBoundingClientRect().right - (rects.at(-1)?.right ?? 0);
  });
  expect(end).toBeLessThan(aLine);
});

test("the printed board shows messages in full, or the open one with its note", async () => {
  const message = `السلام عليكم\n\nأول\n${"سطر\n".repeat(60)}آخر`;
  await board.store(["نورة"], { message, note: "تتصل غدًا" });
  const page = await board.open();
  const row = card(page, "نورة").locator("p", { hasText: "سطر" });
  await expect(row).toBeVisible();
  expect(await height(row)).toBeLessThan(100);
  await page.emulateMedia({ media: "print" });
  expect(await hidden(row)).toBeLessThan(aLine);
  expect(await height(row)).toBeGreaterThan(1000);
  await expect(pane(page)).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await openMessage(page, "نورة");
  await page.emulateMedia({ media: "print" });
  const opened = pane(page).getByText("سطر");
  expect(await hidden(opened)).toBeLessThan(aLine);
  expect(await height(opened)).toBeGreaterThan(1000);
  await expect(noteIn(page)).toBeVisible();
  await expect(card(page, "نورة")).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
});
