import jsQR from "jsqr";
import type { Locator } from "playwright/test";
import { expect, test } from "#tests/support/browser/test.ts";

/** Returns what a QR code in a screenshot says. As cameras of older phones, it takes no light on dark. */
async function readCode(code: Locator): Promise<string | undefined> {
  const screenshot = await code.screenshot();
  const { width, height, pixels } = await code.evaluate(async (_, png) => {
    const bytes = Uint8Array.from(atob(png), (letter) => letter.charCodeAt(0));
    const bitmap = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(bitmap.width, bitmap.height).getContext("2d");
    canvas?.drawImage(bitmap, 0, 0);
    const image = canvas?.getImageData(0, 0, bitmap.width, bitmap.height);
    return {
      width: bitmap.width,
      height: bitmap.height,
      pixels: Array.from(image?.data ?? []),
    };
  }, screenshot.toString("base64"));
  return jsQR(Uint8ClampedArray.from(pixels), width, height, { inversionAttempts: "dontInvert" })
    ?.data;
}

for (const colorScheme of ["light", "dark"] as const) {
  test(`the QR code of the details says the page's address, in ${colorScheme} colours @once`, async ({
    page,
    site,
  }) => {
    await page.emulateMedia({ colorScheme });
    await page.goto("/");
    await page.getByText("بياناتي ورمز QR").click();
    const code = page.getByRole("img", { name: site.url });
    await expect(code).toBeVisible();
    expect(await readCode(code)).toBe(site.url);
  });
}
