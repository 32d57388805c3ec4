import { fieldNames, messageFields } from "#app/models/message-fields.server.ts";
import {
  cardOf,
  beOwner,
  expect,
  fillMessage,
  newMessage,
  openLive,
  sendMessage,
  test,
} from "#tests/support/browser/test.ts";

test("the form leads to the privacy page, which says how long messages are kept", async ({
  page,
}) => {
  await page.goto("/");
  await expect(
    page.getByText("أقرأ رسالتك وحدي، ولا أستعملها إلا للرد عليك بالبريد أو واتساب."),
  ).toBeVisible();
  await page.getByRole("link", { name: "الخصوصية" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "الخصوصية" })).toBeVisible();
  const asked = page.locator("section").filter({ hasText: "ما أطلبه ولماذا" }).last();
  for (const name of fieldNames) {
    await expect(asked).toContainText(messageFields[name].label);
  }
  await expect(page.getByText("بعد ٢٤ شهرًا من وصولها")).toBeVisible();
  await expect(page.getByText("بعد ٣٠ يومًا من حذفه")).toBeVisible();
  await expect(page.getByText("وتحذفه كله في الحال من صفحة حسابك")).toBeVisible();
  await expect(page.getByText("لم يُؤكَّد بريده خلال أسبوع")).toBeVisible();
  await page.getByRole("link", { name: "العودة إلى الرئيسية" }).click();
  await expect(page).toHaveURL(/:\d+\/$/);
});

test("a visitor without cookies reads the message again and deletes it, also from an open board", async ({
  page,
  browser,
  context,
  owned,
}) => {
  const text = newMessage();
  await page.goto("/");
  await fillMessage(page, text);
  await page.getByLabel("رقم واتساب (اختياري)").fill("0501234567");
  await context.clearCookies();
  await sendMessage(page);
  await expect(page.getByText("+966 50 123 4567")).toBeVisible();
  const board = await browser.newPage({ baseURL: owned.site.url });
  await beOwner(board, owned);
  await openLive(board);
  await expect(cardOf(board, text)).toBeVisible();

  await page.getByRole("link", { name: "إيصال رسالتك" }).click();
  await expect(page.getByRole("heading", { name: "إيصال رسالتك" })).toBeVisible();
  for (const [name, value] of [
    ["الاسم", text.name],
    ["البريد الإلكتروني", text.email],
    ["رقم واتساب", "+966 50 123 4567"],
  ] as const) {
    const row = page.locator("dl > div").filter({ hasText: name });
    await expect(row).toContainText(value);
  }
  await expect(page.getByText(text.message)).toBeVisible();

  await context.clearCookies();
  const confirmed = page.getByRole("button", { name: "نعم، احذفها" });
  await expect(confirmed).toBeHidden();
  await page.getByText("حذف رسالتي نهائيًا", { exact: true }).click();
  await confirmed.click();
  await expect(page.getByRole("heading", { name: "لم تعد رسالتك محفوظة" })).toBeVisible();
  await expect(page.getByText(text.name)).toHaveCount(0);
  await expect(cardOf(board, text)).toHaveCount(0);

  await page.goBack();
  await page.reload();
  await expect(page.getByText(text.message)).toHaveCount(0);
});
