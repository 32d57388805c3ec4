import { test } from "#tests/support/browser/claimed-board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect } from "#tests/support/browser/test.ts";

test("the owner sees how often the page was seen and a channel tapped, without any cookie of it", async ({
  page,
  board,
  inbox: { site },
  scripts,
}) => {
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "WhatsApp" }));
  await page.goto(site.url);
  const pinged = page.waitForRequest(/\/tap\/whatsapp$/);
  await page.getByRole("link", { name: "واتساب" }).click();
  await pinged;
  await page.waitForURL(/wa\.me/);
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names).toEqual(["visit"]);

  const section = board.getByRole("region", { name: "عدّ الزيارات" });
  const row = (name: string) => section.getByRole("row").filter({ hasText: name });
  await expect(async () => {
    await board.goto("/account");
    await expect(row("واتساب").getByRole("cell")).toHaveText(["١", "١", "١"]);
  }).toPass();
  await expect(row("مشاهدات الصفحة").getByRole("cell")).toHaveText(["١", "١", "١"]);
  await section.getByText("يومًا بيوم").click();
  if (scripts) {
    await expectGoodLooks(board, "the account page with counts");
  }
  await section.getByRole("button", { name: "تصفير الأرقام" }).click();
  await expect(row("واتساب").getByRole("cell")).toHaveText(["٠", "٠", "٠"]);
  await section.getByRole("button", { name: "إيقاف العدّ" }).click();
  await expect(section.getByText("العدّ متوقف الآن")).toBeVisible();
  await section.getByRole("button", { name: "تشغيل العدّ" }).click();
  await expect(section.getByText("العدّ متوقف الآن")).toHaveCount(0);
});
