import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { TOTP } from "otpauth";
import type { Page } from "playwright/test";
import type { RunningSite } from "./site.ts";
import { expect, type newAccount, submitCredentials } from "./test.ts";

/** A notice by its title: a toast, or without scripts a part of the page. */
export const notice = (page: Page, title: string) =>
  page.getByRole("status").or(page.getByRole("alert")).filter({ hasText: title });

const period = 30_000;
const nearItsEnd = 4000;

/** An authenticator app that never shows a code twice, because the site takes none twice. */
export class Authenticator {
  readonly #totp: TOTP;
  #last = 0;

  /** @param secret as the page shows it, in groups */
  constructor(secret: string) {
    this.#totp = new TOTP({ secret: secret.replaceAll(" ", "") });
  }

  /** The earliest unused code that is good now: the last, this or the next half minute's. */
  async code(): Promise<string> {
    const left = period - (Date.now() % period);
    if (left < nearItsEnd) await sleep(left);
    const now = Math.floor(Date.now() / period);
    this.#last = Math.max(now - 1, this.#last + 1);
    if (this.#last > now + 1) await sleep((this.#last - 1) * period - Date.now());
    return this.#totp.generate({ timestamp: this.#last * period });
  }
}

/** Scripts wait for the visitor's first intent; this is one, and waits until they run. */
export async function startScripts(page: Page, label = "البريد الإلكتروني") {
  await page.getByLabel(label).focus();
  await page.waitForFunction(() => "__reactRouterDataRouter" in window);
  await page.waitForLoadState("networkidle");
}

/** Sets a second factor up on the account page; ends at the page with the recovery codes. */
export async function setUpFactor(page: Page, password: string) {
  await page.goto("/account");
  await page.getByRole("link", { name: "تفعيل التحقق بخطوتين" }).click();
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.getByRole("img", { name: /رمز مربع/ })).toBeVisible();
  const secret = await page.getByLabel("مفتاح التطبيق").innerText();
  const app = new Authenticator(secret);
  await page.getByLabel("الرمز الظاهر في التطبيق").fill(await app.code());
  await page.getByRole("button", { name: "تأكيد وتفعيل" }).click();
  const list = page.getByRole("list", { name: "رموز الاسترداد" });
  await expect(list.getByRole("listitem")).toHaveCount(10);
  const codes = await list.getByRole("listitem").allInnerTexts();
  return { app, codes };
}

/** Signs out on the account page. */
export async function signOut(page: Page) {
  await page.goto("/account");
  await page.getByRole("button", { name: "تسجيل الخروج" }).click();
  await expect(page).toHaveURL(/\/$/);
}

/** Signs in by password; ends at the code step. */
export async function signIn(page: Page, account: ReturnType<typeof newAccount>) {
  await page.goto("/auth");
  await submitCredentials(page, account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/auth\/code/);
}

/** Fills the code step and sends it. */
export async function submitCode(page: Page, code: string) {
  await page.getByLabel("رمز التحقق").fill(code);
  await page.getByRole("button", { name: "متابعة" }).click();
}

/** The latest mail to an address: its code and its link, as a path of the site. */
export async function mailTo(site: RunningSite, email: string, number = 1) {
  let mails: string[] = [];
  await expect
    .poll(async () => {
      mails = await mailsTo(site, email);
      return mails.length;
    })
    .toBeGreaterThanOrEqual(number);
  const text = textPart(mails[number - 1] ?? "");
  const link = new URL(/https?:\S+\/auth\/confirm\S+/.exec(text)?.[0] ?? "");
  return { code: /^\d{6}$/m.exec(text)?.[0] ?? "", link: link.pathname + link.search };
}

/** Every mail to an address so far, in the order in which they were sent. */
export async function mailsTo(site: RunningSite, email: string): Promise<string[]> {
  const folder = join(site.dataDir, "mails");
  const files = await readdir(folder).catch(() => []);
  const mails = await Promise.all(
    files.toSorted().map((file) => readFile(join(folder, file), "utf8")),
  );
  return mails.filter((eml) => eml.includes(`\nTo: ${email}\r\n`));
}

function textPart(eml: string): string {
  const [, headers = "", body = ""] =
    /(Content-Type: text\/plain[\s\S]*?)\r\n\r\n([\s\S]*?)\r\n--/.exec(eml) ?? [];
  return decode(body, headers.includes("base64")).toString("utf8");
}

function decode(body: string, isBase64: boolean): Buffer {
  if (isBase64) return Buffer.from(body, "base64");
  // Quoted-printable (RFC 2045, 6.7).
  const bytes = body
    .replaceAll("=\r\n", "")
    .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(Number.parseInt(hex, 16)));
  return Buffer.from(bytes, "latin1");
}
