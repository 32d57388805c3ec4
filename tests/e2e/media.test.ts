import type { Locator } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { linkedChannels, shown } from "#app/content/shown.ts";
import { visibleAddress } from "#app/routes/home/visible-address.server.ts";
import { card, openMessage, pane } from "#tests/support/browser/board.ts";
import { isLarge } from "#tests/support/browser/content.ts";
import { expectFit } from "#tests/support/browser/looks.ts";
import { expect, newMessage, postMessages, signUp, test } from "#tests/support/browser/test.ts";

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

test("with forced dark colours the sign of the reply button is seen", async ({
  page,
  request,
  site,
}) => {
  await page.emulateMedia({ forcedColors: "active", colorScheme: "dark" });
  const text = newMessage();
  await postMessages(request, site, [text]);
  await signUp(page);
  await openMessage(page, text.name);
  const reply = pane(page).getByRole("link", { name: "ردّ بالبريد" });
  const colour = await reply.locator("svg").evaluate((icon) => getComputedStyle(icon).stroke);
  const channels = colour.match(/\d+/g)?.slice(0, 3).map(Number) ?? [];
  expect(Math.max(...channels)).toBeGreaterThan(200);
});

const outline = (part: Locator) =>
  part.evaluate((element) => getComputedStyle(element).outlineStyle);

test("with forced colours the current box and the open row differ, and stars have a shape", async ({
  page,
  request,
  site,
}) => {
  await page.emulateMedia({ forcedColors: "active" });
  const [first, second] = [newMessage(), newMessage()];
  await postMessages(request, site, [first, second]);
  await signUp(page);
  expect(await outline(page.getByRole("link", { name: /^الرسائل/ }))).toBe("solid");
  expect(await outline(page.getByRole("link", { name: "المزعجة" }))).toBe("none");
  await openMessage(page, first.name);
  expect(await outline(card(page, first.name))).toBe("solid");
  expect(await outline(card(page, second.name))).toBe("none");
  for (const star of await card(page, second.name).locator(".star").all()) {
    const points = star.evaluate((one) => getComputedStyle(one, "::before").backgroundImage);
    expect(await points).toMatch(/^conic-gradient/);
  }
});

test("the printed page is a card with all addresses as text, and no form @layout", async ({
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

test("the printed page is one sheet, also a wide one, and nothing runs out of it @layout", async ({
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

test("the printed board shows messages in full @layout", async ({ page, request, site }) => {
  const text = { ...newMessage(), message: `السلام عليكم\n\nأول\n${"سطر\n".repeat(60)}آخر` };
  expect(await postMessages(request, site, [text])).toEqual([302]);
  await signUp(page);
  const message = card(page, text.name).getByText("سطر");
  await expect(message).toBeVisible();
  const greeting = message.getByText("السلام عليكم");
  expect(await height(message)).toBeLessThan(100);
  expect(await height(greeting)).toBe(1);
  await page.emulateMedia({ media: "print" });
  expect(await hidden(message)).toBeLessThan(aLine);
  expect(await height(message)).toBeGreaterThan(1000);
  expect(await height(greeting)).toBeGreaterThan(10);
  await expect(pane(page)).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
  await page.emulateMedia({ media: "screen" });
  await openMessage(page, text.name);
  await page.emulateMedia({ media: "print" });
  const opened = pane(page).getByText("سطر");
  expect(await hidden(opened)).toBeLessThan(aLine);
  expect(await height(opened)).toBeGreaterThan(1000);
  await expect(card(page, text.name)).toBeHidden();
  await expect(page.getByRole("button")).toHaveCount(0);
});

test("at 200 % zoom a focused field shows its label", async ({ page }) => {
  await page.setViewportSize({ width: 640, height: 360 });
  await page.goto("/");
  const fields = ["الاسم", "البريد الإلكتروني", "الرسالة"];
  for (const key of ["Tab", "Shift+Tab"]) {
    for (const name of key === "Tab" ? fields : fields.toReversed()) {
      const field = page.getByLabel(name, { exact: true });
      for (let step = 0; step < 60; step += 1) {
        if (await field.evaluate((input) => input === document.activeElement)) {
          break;
        }
        await page.keyboard.press(key);
      }
      await expect(field).toBeFocused();
      const label = page.locator("label").getByText(name, { exact: true });
      await expect(label).toBeInViewport({ ratio: 1 });
    }
  }
});

test("long addresses stay within a small screen, and in their sentence", async ({ page }) => {
  await page.setViewportSize({ width: 360, height: 640 });
  const account = await signUp(page);
  await page.goto("/account/email");
  await expect(page.locator("bdi").filter({ hasText: account.email })).toHaveCSS(
    "display",
    "inline",
  );
  await page.getByLabel("البريد الجديد").fill(`${"x".repeat(31)}@example.com`);
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.keyboard.press("Enter");
  await expect(page.getByText("التأكيد. افتح الرابط")).toBeVisible();
  await expectFit(page, "a long address");
});
