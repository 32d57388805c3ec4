import jsQR from "jsqr";
import type { Locator } from "playwright/test";
import { owner } from "#app/content/owner.ts";
import { linkedChannels, shown } from "#app/content/shown.ts";
import { sheetFields } from "#app/models/message-fields.server.ts";
import { visibleAddress } from "#app/routes/home/visible-address.server.ts";
import {
  expect,
  fillMessage,
  newMessage,
  paste,
  sendMessage,
  test,
} from "#tests/support/browser/test.ts";
import { readMessages } from "#tests/support/messages.ts";

test("the contact page shows what the specification lists", async ({ page, site }) => {
  await page.goto("/");
  await expect(page.locator("html")).toHaveAttribute("dir", "rtl");
  await expect(page.getByText(owner.title, { exact: true })).toBeVisible();

  const all = shown(owner.channels);
  const linked = linkedChannels(owner.channels);
  const channels = page.getByRole("list", { name: "قنوات التواصل" });
  await expect(channels.getByRole("listitem")).toHaveCount(all.length);
  await expect(channels.getByText("قريبًا")).toHaveCount(all.length - linked.length);
  await expect(channels.getByRole("link")).toContainText(
    linked.map(({ icon, link }) => visibleAddress(icon, link)),
  );

  const works = page.getByRole("region", { name: "أعمالي" });
  await expect(works.getByRole("link")).toHaveCount(shown(owner.works).length);
  const services = page.getByRole("region", { name: "خدماتي" });
  const links = await services
    .getByRole("link")
    .evaluateAll((anchors) => anchors.map((link) => (link as HTMLAnchorElement).href));
  expect(links).toEqual(shown(owner.services).map(({ link }) => new URL(link, site.url).href));

  const start = page.getByRole("link", { name: "Start Your Project Today" });
  const chat = new URL((await start.getAttribute("href")) ?? "");
  expect([chat.host, chat.pathname]).toEqual(["wa.me", `/${owner.phone}`]);
  expect(chat.searchParams.get("text")).toBe(owner.projectMessage);
  await expect(page.getByRole("contentinfo")).toContainText("2025");
  await expect(page.locator('a[href="#"], a[href=""], a:not([href])')).toHaveCount(0);
});

// The page has no scripts (site/scripts.test.ts): in any browser it is what it is in one that refuses them.
test.describe("without scripts", () => {
  test.use({ javaScriptEnabled: false });

  test("the form's card confirms the message, also without cookies, until the visitor goes on", async ({
    page,
    context,
  }) => {
    await page.goto("/");
    const text = newMessage();
    await fillMessage(page, text);
    await context.clearCookies();
    await sendMessage(page);
    const sent = page.getByRole("region", { name: "وصلت رسالتك" });
    const thanks = sent.getByRole("status");
    const when = owner.answerTime === undefined ? "" : ` ${owner.answerTime}`;
    await expect(thanks).toContainText(`شكرًا لك. سأقرؤها بنفسي، وأرد على بريدك${when}.`);
    await expect(thanks.getByRole("heading")).toBeFocused();
    for (const typed of Object.values(text)) {
      await expect(sent.getByText(typed)).toBeInViewport();
    }
    await expect(sent.getByRole("time")).toHaveAttribute("datetime", /^\d{4}-/);
    await expect(thanks).toBeInViewport();
    // No notice.
    const names = (await context.cookies()).map(({ name }) => name);
    expect(names.filter((name) => name !== "visit")).toEqual([]);

    await page.getByRole("link", { name: "كتابة رسالة أخرى" }).click();
    await expect(page.getByLabel("الرسالة")).toHaveValue("");
    await expect(page.getByText("وصلت رسالتك")).toHaveCount(0);
    expect(new URL(page.url()).search).toBe("");
  });

  test("an invalid message is refused in place on a small screen, and keeps its text", async ({
    page,
    site,
  }) => {
    await page.setViewportSize({ width: 360, height: 640 });
    await page.goto("/");
    const [name, email] = [page.getByLabel("الاسم"), page.getByLabel("البريد الإلكتروني")];
    const phone = page.getByLabel("رقم واتساب (اختياري)");
    await fillMessage(page, { name: " \u200F ", email: "nora@example", message: "نص أخشى ضياعه" });
    await phone.fill("٠٥٠ ١٢");
    await sendMessage(page);
    await expect(name).toHaveAccessibleDescription("اكتب اسمك");
    await expect(name).toHaveAttribute("aria-invalid", "true");
    await expect(name).toBeFocused();
    await expect(name).toBeInViewport();
    await expect(page.locator("form").getByText("لم تُرسل رسالتك")).toBeInViewport();
    await expect(email).toHaveAccessibleDescription("البريد الإلكتروني غير صحيح");
    await expect(email).toHaveValue("nora@example");
    await expect(phone).toHaveAccessibleDescription(/رقم واتساب غير صحيح/);
    await expect(phone).toHaveValue("٠٥٠ ١٢");
    await expect(page.getByLabel("الرسالة")).toHaveValue("نص أخشى ضياعه");
    expect(new URL(page.url()).search).toBe("?write");
    // Where a browser does not focus the field by itself.
    const unsent = page.getByRole("link", { name: "لم تُرسل رسالتك: صحّح ما كُتب بالأحمر" });
    await unsent.click();
    await expect(name).toBeFocused();
    await expect(name).toBeInViewport();

    const text = newMessage("بعد التصحيح");
    const long = `${"نص ".repeat(2_000)}النهاية`;
    await fillMessage(page, text);
    await paste(page.getByLabel("الرسالة"), long);
    await phone.fill("٠٥٠ ١٢٣-٤٥٦٧");
    await sendMessage(page);
    // Not cut.
    await expect(page.getByLabel("الرسالة")).toHaveAccessibleDescription(/الرسالة طويلة/);
    await expect(page.getByLabel("الرسالة")).toHaveValue(long);
    // A fault's message stands in view, too.
    await fillMessage(page, { ...text, email: `broken${text.email}` });
    await sendMessage(page);
    const why = page.getByRole("alert");
    await expect(why).toContainText("لم تُرسل رسالتك");
    await expect(why).toBeFocused();
    await expect(why).toBeInViewport();
    await fillMessage(page, text);
    await sendMessage(page);
    await expect(page.getByText("وصلت رسالتك")).toBeVisible();
    const stored = (await readMessages(site.dataDir)).filter((one) => one.email === text.email);
    expect(stored).toEqual([expect.objectContaining({ phone: "966501234567" })]);
  });
});

test("a fault's message is not at the edge of a window that shows it without scrolling", async ({
  page,
}) => {
  await page.setViewportSize({ width: 1920, height: 1080 });
  await page.goto("/");
  await fillMessage(page, { ...newMessage(), email: "broken@example.com" });
  await sendMessage(page);
  await expect(page.getByRole("alert")).toBeFocused();
  await expect(page.getByLabel("الاسم")).toBeInViewport({ ratio: 1 });
});

test("what was written survives a lost connection: by going back, and by sending again", async ({
  page,
  context,
}) => {
  const text = newMessage();
  await page.goto("/");
  await fillMessage(page, text);
  // Chromium stores typed text in its history after a second. A person is slower, a test is not.
  await page.waitForTimeout(1500);
  await context.setOffline(true);
  await sendMessage(page);
  await expect(page).toHaveURL(/^chrome-error:/);
  await context.setOffline(false);
  await page.goBack();
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await context.setOffline(true);
  await sendMessage(page);
  await expect(page).toHaveURL(/^chrome-error:/);
  await context.setOffline(false);
  // The browser asks whether to send the form again.
  await page.reload();
  await expect(page.getByRole("region", { name: "وصلت رسالتك" })).toContainText(text.name);
});

test("the keyboard alone sends a message, and at 200 % zoom shows each field's label", async ({
  page,
}) => {
  await page.setViewportSize({ width: 640, height: 360 });
  const text: Record<string, string> = { ...newMessage() };
  await page.goto("/");
  const order: string[] = [];
  const sends = page.getByRole("button", { name: "إرسال الرسالة" });
  const isThere = () => sends.evaluate((button) => button === document.activeElement);
  for (let step = 0; step < 60 && !(await isThere()); step += 1) {
    await page.keyboard.press("Tab");
    const field = page.locator("form :focus[name]");
    if ((await field.count()) > 0) {
      const name = (await field.getAttribute("name")) ?? "";
      order.push(name);
      await expect(page.locator(`label[for=${name}]`)).toBeInViewport({ ratio: 1 });
      await page.keyboard.type(text[name] ?? "");
    }
  }
  expect(order).toEqual(sheetFields.map(({ name }) => name));
  await page.keyboard.press("Enter");
  await expect(page.getByText("وصلت رسالتك")).toBeVisible();
});

test("the QR code of the details says the page's address, in light and in dark colours", async ({
  page,
  site,
}) => {
  await page.goto("/");
  await page.getByText("بياناتي ورمز QR").click();
  const code = page.getByRole("img", { name: site.url });
  await expect(code).toBeVisible();
  for (const colorScheme of ["light", "dark"] as const) {
    await page.emulateMedia({ colorScheme });
    expect(await readCode(code)).toBe(site.url);
  }
});

/** Returns what a QR code in a screenshot says. As cameras of older phones, it takes no light on dark. */
async function readCode(code: Locator): Promise<string | undefined> {
  const screenshot = await code.screenshot();
  const { width, height, pixels } = await code.evaluate(async (_, png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas?.drawImage(bitmap, 0, 0);
    const image = canvas?.getImageData(0, 0, bitmap.width, bitmap.height);
    const bytesOf = Array.from(image?.data ?? [], (value) => String.fromCharCode(value));
    return { width: bitmap.width, height: bitmap.height, pixels: btoa(bytesOf.join("")) };
  }, screenshot.toString("base64"));
  const data = Uint8ClampedArray.from(Buffer.from(pixels, "base64"));
  return jsQR(data, width, height, { inversionAttempts: "dontInvert" })?.data;
}
