import { readFile } from "node:fs/promises";
import type { Page } from "playwright/test";
import { Authenticator, notice, setUpFactor, submitCode } from "./account-support.ts";
import {
  expect,
  newAccount,
  newMessage,
  postMessages,
  randomAddress,
  signUp,
  submitCredentials,
  test,
} from "./test.ts";

test.slow();

async function signOut(page: Page) {
  await page.goto("/account");
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
}

async function signIn(page: Page, account: ReturnType<typeof newAccount>) {
  await page.goto("/auth");
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/auth\/code/);
}

const arabic = (code: string) => code.replace(/\d/g, (digit) => "٠١٢٣٤٥٦٧٨٩"[Number(digit)] ?? "");

test("a second factor is set up, and asked for after the password", async ({ page }) => {
  const account = await signUp(page);
  const { app, codes } = await setUpFactor(page, account.password);
  const download = page.waitForEvent("download");
  await page.getByRole("link", { name: "تنزيلها في ملف" }).click();
  const file = await readFile(await (await download).path(), "utf8");
  expect(file).toBe(`${codes.join("\n")}\n`);
  await page.getByRole("link", { name: "حفظتها" }).click();
  const section = page.getByRole("region", { name: "التحقق بخطوتين" });
  await expect(section.getByText("هاتفي", { exact: true })).toBeVisible();
  await expect(section.getByText("رموز الاسترداد الباقية: 10")).toBeVisible();

  await signOut(page);
  await signIn(page, account);
  await submitCode(page, "12345");
  const field = page.getByLabel("رمز التحقق");
  await expect(field).toHaveAccessibleDescription("اكتب الرمز المكوّن من 6 أرقام");
  await expect(field).toBeFocused();
  await submitCode(page, "000000");
  await expect(field).toHaveAccessibleDescription(/الرمز غير صحيح/);

  await submitCode(page, arabic(await app.code()));
  await expect(page).toHaveURL(/\/admin$/);
  await expect(notice(page, "تم تسجيل الدخول بنجاح")).toBeVisible();
  await page.goto("/auth/code");
  await expect(page).toHaveURL(/\/admin$/);
});

test("a wrong first code shows the same QR code again", async ({ page }) => {
  const account = await signUp(page);
  await page.goto("/account/factors/new");
  await page.getByLabel("كلمة المرور الحالية").fill("not-the-one");
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.getByLabel("كلمة المرور الحالية")).toHaveAccessibleDescription(
    "كلمة المرور الحالية غير صحيحة.",
  );
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.getByRole("button", { name: "متابعة" }).click();
  const key = page.getByLabel("مفتاح التطبيق");
  const secret = await key.innerText();
  expect(secret).toMatch(/^([A-Z2-7]{4} ){7}[A-Z2-7]{4}$/);
  await page.getByLabel("الرمز الظاهر في التطبيق").fill("000000");
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(page.getByLabel("الرمز الظاهر في التطبيق")).toHaveAccessibleDescription(
    /الرمز غير صحيح/,
  );
  await expect(key).toHaveText(secret);
  await page.goto("/account");
  await expect(page.getByRole("link", { name: "تفعيل التحقق بخطوتين" })).toBeVisible();
});

test("a stolen password alone reads nothing, on the site and beside it", async ({
  page,
  browser,
  site,
  scripts,
}) => {
  const account = await signUp(page);
  const { key } = await (await page.request.get("/admin/live")).json();
  await setUpFactor(page, account.password);
  const text = newMessage();
  expect(await postMessages(page.request, site, [text])).toEqual([302]);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: text.name })).toBeVisible();

  const context = await browser.newContext({ baseURL: site.url, javaScriptEnabled: scripts });
  const thief = await context.newPage();
  await signIn(thief, account);
  for (const path of ["/admin", "/admin/live", "/account", "/account/password", "/account/email"]) {
    await thief.goto(path);
    await expect(thief).toHaveURL(`${site.url}/auth/code?next=${encodeURIComponent(path)}`);
  }
  await context.close();

  const json = { "Content-Type": "application/json", apikey: key };
  const signedIn = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: json,
    body: JSON.stringify(account),
  });
  const { access_token: token } = await signedIn.json();
  const headers = { ...json, Authorization: `Bearer ${token}` };
  const rest = `${site.url}/rest/v1`;
  expect(await (await fetch(`${rest}/contact_messages`, { headers })).json()).toEqual([]);
  const call = (name: string) =>
    fetch(`${rest}/rpc/${name}`, { method: "POST", headers, body: "{}" });
  expect(await (await call("my_sessions")).json()).toEqual([]);
  expect((await call("renew_recovery_codes")).status).toBe(403);
  const change = await fetch(`${site.url}/auth/v1/user`, {
    method: "PUT",
    headers,
    body: JSON.stringify({ password: "a new password" }),
  });
  expect(change.status).toBe(401);
});

test("a second app has its own name, and either opens the account", async ({ page }) => {
  const account = await signUp(page);
  const { app } = await setUpFactor(page, account.password);
  const start = async (name: string) => {
    await page.goto("/account/factors/new");
    await page.getByLabel("اسم الجهاز").fill(name);
    await page.getByText("أو استعمل كلمة المرور").click();
    await page.getByLabel("كلمة المرور الحالية").fill(account.password);
    await page.getByRole("button", { name: "متابعة" }).click();
  };
  await start("هاتفي");
  await expect(page.getByLabel("اسم الجهاز")).toHaveAccessibleDescription(/لديك تطبيق بهذا الاسم/);
  await start("حاسوبي <b>");
  const second = new Authenticator(await page.getByLabel("مفتاح التطبيق").innerText());
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(await second.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "أُضيف تطبيق المصادقة")).toBeVisible();
  const apps = page.getByRole("list", { name: "تطبيقات المصادقة" });
  await expect(apps.getByText("حاسوبي <b>")).toBeVisible();
  await expect(page.getByText("رموز الاسترداد الباقية: 10")).toBeVisible();

  for (const either of [second, app]) {
    await signOut(page);
    await signIn(page, account);
    await submitCode(page, await either.code());
    await expect(page).toHaveURL(/\/admin$/);
  }
});

test("a recovery code takes the place of the app, once", async ({ page }) => {
  const account = await signUp(page);
  const [first = ""] = (await setUpFactor(page, account.password)).codes;
  const useCode = async (code: string) => {
    await page.getByText("فقدت الجهاز؟ استعمل رمز استرداد").click();
    await page.getByLabel("رمز الاسترداد").fill(code);
    await page.getByRole("button", { name: "الدخول برمز الاسترداد" }).click();
  };

  await signOut(page);
  await signIn(page, account);
  await useCode(first.toUpperCase());
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "تم تسجيل الدخول برمز الاسترداد")).toBeVisible();
  await expect(page.getByRole("link", { name: "تفعيل التحقق بخطوتين" })).toBeVisible();

  await setUpFactor(page, account.password);
  await signOut(page);
  await signIn(page, account);
  await useCode(first);
  await expect(page.getByLabel("رمز الاسترداد")).toHaveAccessibleDescription(
    "رمز الاسترداد غير صحيح، أو استُعمل من قبل.",
  );
  await page.goto("/admin");
  await expect(page).toHaveURL(/\/auth\/code/);
});

test("new recovery codes and the removal of the app ask for a proof", async ({ page }) => {
  const account = await signUp(page);
  const { app, codes } = await setUpFactor(page, account.password);

  await page.goto("/account");
  await page.getByRole("link", { name: "رموز استرداد جديدة" }).click();
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill("000000");
  await page.getByRole("button", { name: "إنشاء الرموز" }).click();
  await expect(page.getByLabel("رمز جديد من تطبيق المصادقة")).toHaveAccessibleDescription(
    /الرمز غير صحيح/,
  );
  await page.getByLabel("رمز جديد من تطبيق المصادقة").fill(await app.code());
  await page.getByRole("button", { name: "إنشاء الرموز" }).click();
  const list = page.getByRole("list", { name: "رموز الاسترداد" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const renewed = await list.getByRole("listitem").allInnerTexts();
  expect(renewed.filter((code) => codes.includes(code))).toEqual([]);

  await page.goto("/account");
  await page.getByRole("link", { name: "إزالة هاتفي" }).click();
  await page.getByText("أو استعمل كلمة المرور").click();
  await page.getByLabel("كلمة المرور الحالية").fill("not-the-one");
  await page.getByRole("button", { name: "إزالة" }).click();
  await expect(page.getByLabel("كلمة المرور الحالية")).toHaveAccessibleDescription(
    "كلمة المرور الحالية غير صحيحة.",
  );
  await page.getByLabel("كلمة المرور الحالية").fill(account.password);
  await page.getByRole("button", { name: "إزالة" }).click();
  await expect(page).toHaveURL(/\/account$/);
  await expect(notice(page, "أُزيل تطبيق المصادقة")).toBeVisible();
  await expect(page.getByRole("link", { name: "تفعيل التحقق بخطوتين" })).toBeVisible();
  const devices = page.getByRole("list", { name: "الأجهزة" });
  await expect(devices.getByRole("listitem")).toHaveCount(1);
});

for (const field of ["code", "recovery"] as const) {
  test(`wrong tries at the code step are limited: ${field}`, async ({ page, site }) => {
    const account = await signUp(page);
    await setUpFactor(page, account.password);
    await signOut(page);
    await signIn(page, account);
    const statuses: number[] = [];
    for (let index = 0; index < 14; index += 1) {
      const answer = await page.request.post("/auth/code", {
        form: { [field]: "000000" },
        headers: { Origin: site.url, "X-Forwarded-For": randomAddress() },
        maxRedirects: 0,
      });
      statuses.push(answer.status());
      if (answer.status() !== 429) continue;
      expect(Number(answer.headers()["retry-after"])).toBeGreaterThan(60);
      expect(await answer.text()).toContain("محاولات كثيرة. أعد المحاولة بعد");
    }
    expect(statuses[0]).toBe(422);
    expect(statuses.at(-1)).toBe(429);
  });
}
