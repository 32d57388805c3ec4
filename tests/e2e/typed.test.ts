import { noteIn, useBoard } from "#tests/support/browser/board.ts";
import { expect, holdScripts, isHydrated, test } from "#tests/support/browser/test.ts";

// What changes a page before its scripts run. Evaluated in it; imitated from reports.
const changes = {
  "Chrome translated it": () => {
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
  },
  "nothing did": () => {},
} satisfies Record<string, () => void>;

/** As Dashlane does. */
function addIcons() {
  for (const field of document.querySelectorAll("input:not([type=hidden])")) {
    field.before(document.createElement("span"));
  }
}

const board = useBoard();

test("what was filled in before scripts stays and is sent, after a password manager's icons", async ({
  page,
}) => {
  const { email, password } = board.account;
  const release = await holdScripts(page);
  await page.goto("/auth", { waitUntil: "domcontentloaded" });
  await page.evaluate(addIcons);
  await page.getByLabel("البريد الإلكتروني").fill(email);
  await page.getByLabel("كلمة المرور").fill(password);
  await page.evaluate(() => Object.assign(document.querySelector("main") ?? {}, { isOld: true }));
  release();
  await page.waitForFunction(isHydrated);
  await page.waitForFunction(() => !("isOld" in (document.querySelector("main") ?? {})));
  await page.waitForLoadState("networkidle");
  await expect(page.getByLabel("البريد الإلكتروني")).toHaveValue(email);
  await expect(page.getByLabel("كلمة المرور")).toHaveValue(password);
  await expect(page.getByLabel("كلمة المرور")).toBeFocused();
  await page.getByRole("button", { name: "تسجيل الدخول", exact: true }).click();
  await expect(page).toHaveURL(/\/admin$/);
});

for (const [name, change] of Object.entries(changes)) {
  test(`a note typed and a row ticked before scripts stay, after ${name}`, async () => {
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
    expect(name === "nothing did" ? errors : []).toEqual([]);
  });
}
