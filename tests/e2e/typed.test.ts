import type { Page } from "playwright/test";
import { noteIn, useBoard } from "#tests/support/browser/board.ts";
import { expect, holdScripts, isHydrated, newAccount, test } from "#tests/support/browser/test.ts";

/** What Chrome's translation, Dashlane and a phone do to a page; imitated from reports. Evaluated in it. */
const changeAll = () => {
  for (const field of document.querySelectorAll("input:not([type=hidden])")) {
    field.before(document.createElement("span"));
  }
  for (const element of document.querySelectorAll("label, time")) {
    const link = document.createElement("a");
    link.append(...element.childNodes);
    element.append(link);
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const found: Text[] = [];
  while (texts.nextNode()) {
    found.push(texts.currentNode as Text);
  }
  for (const text of found.filter(({ parentElement }) => parentElement?.tagName !== "SCRIPT")) {
    const font = document.createElement("font");
    text.replaceWith(font);
    font.append(`Translated ${text.data}`);
  }
};

const changes = { "nothing changed it": () => {}, "other programs changed it": changeAll };

const board = useBoard();

/** Opens a page whose scripts are held, changes and fills it, and lets the scripts run. */
async function openChanged(page: Page, path: string, change: () => void, texts: string[][]) {
  const release = await holdScripts(page);
  await page.goto(path, { waitUntil: "domcontentloaded" });
  await page.evaluate(change);
  for (const [field = "", text = ""] of texts) {
    await page.locator(`#${field}`).fill(text);
  }
  release();
  await page.waitForFunction(isHydrated);
  await page.waitForLoadState("networkidle");
  for (const [field, text = ""] of texts) {
    await expect(page.locator(`#${field}`)).toHaveValue(text);
  }
  await expect(page.locator(`#${texts.at(-1)?.[0]}`)).toBeFocused();
}

for (const [name, change] of Object.entries(changes)) {
  test(`what was filled in before scripts stays and is sent, where ${name}`, async ({ page }) => {
    const { email, password } = board.account;
    const filled = [
      ["email", email],
      ["password", password],
    ];
    await openChanged(page, "/auth", change, filled);
    await page.getByRole("button", { name: "تسجيل الدخول", exact: true }).click();
    await expect(page).toHaveURL(/\/admin$/);
  });

  test(`a note typed and a row ticked before scripts stay, where ${name}`, async () => {
    await board.store(["نورة", "سعد"], { note: "تتصل" });
    const page = await board.open({ viewport: { width: 1280, height: 900 } });
    const id = (await page.getByRole("article").first().getAttribute("id"))?.slice(2);
    const errors: string[] = [];
    page.on("console", (message) => errors.push(message.text()));
    const release = await holdScripts(page);
    await page.goto(`/admin?select=1&open=${id}`, { waitUntil: "domcontentloaded" });
    await page.evaluate(change);
    await page.getByRole("checkbox").nth(1).check();
    await noteIn(page).fill("تتصل غدًا");
    release();
    await page.waitForFunction(isHydrated);
    await expect(page.getByText("لم تُحفظ بعد")).toBeVisible();
    await expect(noteIn(page)).toHaveValue("تتصل غدًا");
    await expect(noteIn(page)).toBeFocused();
    await expect(page.getByRole("checkbox").nth(1)).toBeChecked();
    await expect(page.getByText("المحددة: ١")).toHaveCount(1);
    expect(name === "nothing changed it" ? errors : []).toEqual([]);
  });
}

test("a new password filled in before scripts stays on a changed page", async () => {
  const page = await board.open();
  await openChanged(page, "/account/password", changeAll, [
    ["current", board.account.password],
    ["password", newAccount().password],
  ]);
});
