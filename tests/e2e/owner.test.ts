import { randomUUID } from "node:crypto";
import type { Browser } from "playwright/test";
import {
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
  test,
  useOwnSite,
} from "#tests/support/browser/test.ts";

// Nobody owns its inbox at first.
const site = useOwnSite();

async function newReader(browser: Browser) {
  const page = await browser.newPage({ baseURL: site.url });
  await signUp(page);
  await page.goto("/admin");
  return page;
}

test("one account claims the inbox; others see why it is empty for them", async ({
  browser,
  request,
}) => {
  const text = newMessage();
  await postMessages(request, site, [text]);
  const [owner, stranger] = [await newReader(browser), await newReader(browser)];
  for (const page of [owner, stranger]) {
    await expect(
      page.getByText("هذا الصندوق بلا صاحب: كل حساب في الموقع يقرأ رسائله."),
    ).toBeVisible();
    await expect(page.getByRole("heading", { name: text.name })).toBeVisible();
  }
  await stranger.getByRole("button", { name: "اجعل الصندوق لي وحدي" }).click();
  const code = stranger.getByLabel("رمز صاحب الموقع");
  await code.fill("00000-00000-00000-00000");
  await stranger.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(code).toHaveAccessibleDescription(/الرمز غير صحيح/);
  await expect(code).toBeFocused();
  await expect(code).toHaveValue("00000-00000-00000-00000");

  await owner.goto(site.claimPath());
  await owner.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(owner.getByText("صار الصندوق لك وحدك")).toBeVisible();
  await expect(owner.getByRole("heading", { name: text.name })).toBeVisible();
  await expect(owner.getByRole("button", { name: "اجعل الصندوق لي وحدي" })).toHaveCount(0);

  await stranger.getByRole("button", { name: "نعم، اجعله لي وحدي" }).click();
  await expect(stranger.getByText("للصندوق صاحب آخر")).toBeVisible();
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await stranger.reload();
  await expect(liveBadge(stranger)).toHaveCount(0);
  await expect(liveBadge(owner)).toBeVisible();
  await expect(stranger.getByRole("heading", { name: text.name })).toHaveCount(0);
  // On a phone an open message takes the place of the list and its header; here there is none.
  await stranger.setViewportSize({ width: 360, height: 740 });
  await stranger.goto(`/admin?open=${randomUUID()}`);
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "الرئيسية" })).toBeInViewport();
  await stranger.getByRole("main").getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(stranger).toHaveURL(/\/$/);
});
