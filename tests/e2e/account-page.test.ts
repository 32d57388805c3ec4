import { notice } from "#tests/support/browser/account.ts";
import { beOwner, expect, isHydrated, signUp, test } from "#tests/support/browser/test.ts";

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

test("two quick clicks send one request, whose late answer is shown whatever is read meanwhile", async ({
  page,
}) => {
  await page.clock.install();
  await signUp(page);
  await page.goto("/account");
  await page.waitForFunction(isHydrated);
  const gate = Promise.withResolvers<void>();
  let posts = 0;
  await page.route(/\.data/, async (route) => {
    if (route.request().method() === "POST") {
      posts += 1;
      await gate.promise;
    }
    await route.continue();
  });
  const confirm = page.getByRole("button", { name: "إرسال رسالة تأكيد" });
  await confirm.evaluate((button: HTMLButtonElement) => {
    button.click();
    button.click();
  });
  await expect(confirm).toBeDisabled();
  // A tab that hears of another account reloads its data, which must not drop the late response.
  await page.evaluate(() => new BroadcastChannel("session").postMessage("another"));
  await page.clock.fastForward(11_000);
  gate.resolve();
  await expect(notice(page, "تفقّد بريدك")).toBeVisible();
  expect(posts).toBe(1);
});
