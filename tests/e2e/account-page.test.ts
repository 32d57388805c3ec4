import { beOwner, expect, test } from "#tests/support/browser/test.ts";

test("the account page names what is not set up, and a link opens the instructions", async ({
  page: board,
  owned,
}) => {
  await beOwner(board, owned);
  await board.goto("/account");
  await expect(board.getByText("لا تصلك تنبيهات بعد")).toBeVisible();
  await expect(board.getByRole("main")).not.toContainText(/[A-Z]+_[A-Z]+/);
  for (const [about, part] of [
    ["النسخ الاحتياطي", "النسخ الاحتياطية"],
    ["التنبيهات", "التنبيهات على جوالك"],
  ]) {
    await board.getByRole("link", { name: `طريقة الإعداد: ${about}` }).click();
    await expect(board.getByRole("heading", { name: part })).toBeInViewport();
    await board.goBack();
  }
  const unknown = await board.goto("/account/documents/constructor");
  expect(unknown?.status()).toBe(404);
});

test("the owner sees how often the page was seen and its button tapped, without any cookie of it", async ({
  page,
  browser,
  owned,
}) => {
  const { site } = owned;
  const board = await browser.newPage({ baseURL: site.url });
  await beOwner(board, owned);
  await owned.owner.post("/account", { action: "change-counts", counts: "reset" });
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "WhatsApp" }));
  await page.goto(site.url);
  const pinged = page.waitForRequest(/\/tap\/chat$/);
  await page.getByRole("link", { name: "Start Your Project Today" }).click();
  await pinged;
  await page.waitForURL(/wa\.me/);
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names).toEqual(["visit"]);

  const section = board.getByRole("region", { name: "عدّ الزيارات" });
  const row = (name: string) => section.getByRole("row").filter({ hasText: name });
  await expect(async () => {
    await board.goto("/account");
    await expect(row("بدء المشروع").getByRole("cell")).toHaveText(["١", "١", "١"]);
  }).toPass();
  await expect(row("مشاهدات الصفحة").getByRole("cell")).toHaveText(["١", "١", "١"]);
  // One day has no course.
  await expect(section.locator("rect")).toHaveCount(0);
});
