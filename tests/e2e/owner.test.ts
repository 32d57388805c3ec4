import { randomUUID } from "node:crypto";
import { networkInterfaces } from "node:os";
import { devices } from "playwright/test";
import {
  expect,
  fillMessage,
  liveBadge,
  newAccount,
  newMessage,
  postMessages,
  sendMessage,
  signUp,
  submitCredentials,
  test,
  useOwnSite,
} from "#tests/support/browser/test.ts";

// Nobody owns its inbox at first.
const site = useOwnSite({ HOST: "0.0.0.0" });

/** This machine's address in its network, without a name or a certificate. */
const address = Object.values(networkInterfaces())
  .flat()
  .find((each) => each?.family === "IPv4" && !each.internal)?.address;

test("one account claims the inbox; others see why it is empty for them", async ({
  browser,
  request,
}) => {
  const text = newMessage();
  // The owner's phone is in the same network.
  const baseURL = `http://${address ?? "localhost"}:${new URL(site.url).port}`;
  // For whoever reads the log beside it.
  for (const line of [`is ready: ${baseURL}`, `yours at ${baseURL}/admin/claim?code=`]) {
    expect(site.output()).toContain(line);
  }
  const owner = await browser.newPage({ ...devices["Pixel 7"], baseURL });
  await owner.goto("/");
  await fillMessage(owner, text);
  await sendMessage(owner);
  await expect(owner.getByText("وصلت رسالتك")).toBeVisible();
  expect(await (await owner.request.get("/contact.vcf")).text()).toContain(`URL:${baseURL}/`);
  await owner.goto("/auth?mode=sign-up");
  await submitCredentials(owner, newAccount(), "إنشاء حساب");
  const stranger = await browser.newPage({ baseURL: site.url });
  await signUp(stranger);
  await stranger.goto("/admin");
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
  const next = newMessage();
  await postMessages(request, site, [next]);
  await expect(owner.getByRole("heading", { name: next.name })).toBeVisible();
  expect(new URL(owner.url()).origin).toBe(baseURL);
  await expect(stranger.getByRole("heading", { name: text.name })).toHaveCount(0);
  // On a phone an open message takes the place of the list and its header; here there is none.
  await stranger.setViewportSize({ width: 360, height: 740 });
  await stranger.goto(`/admin?open=${randomUUID()}`);
  await expect(stranger.getByText("هذا الصندوق لصاحب الموقع وحده")).toBeVisible();
  await expect(stranger.getByRole("link", { name: "الرئيسية" })).toBeInViewport();
  await stranger.getByRole("main").getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(stranger).toHaveURL(/\/$/);
});
