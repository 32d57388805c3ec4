import type { Page } from "playwright/test";
import { notice } from "#tests/support/browser/account.ts";
import {
  card,
  expectOpen,
  noteIn,
  openMessage,
  pane,
  rowLink,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";

const board = useBoard();

const names = ["نورة", "سعد", "ليلى", "ريم"];

async function open(viewport = { width: 1280, height: 900 }): Promise<Page> {
  await board.store(names);
  const page = await board.open({ viewport });
  await expect(liveBadge(page)).toBeVisible();
  return page;
}

/** Presses a key by its place, as an Arabic layout names it. */
const pressArabic = (page: Page, code: string, key: string) =>
  page.evaluate(
    (init) =>
      (document.activeElement ?? document.body).dispatchEvent(
        new KeyboardEvent("keydown", { ...init, bubbles: true, cancelable: true }),
      ),
    { code, key },
  );

test("an owner reads, answers, archives and takes back by keys alone @scripts", async () => {
  const page = await open();
  await expect(page.getByRole("list", { name: "الرسائل" })).toBeFocused();
  // The list did not ask for the focus: from there no key changes a message.
  for (const key of ["e", "d", "x", "r"]) {
    await page.keyboard.press(key);
  }
  await expect(page.getByText("اختر رسالة لقراءتها هنا")).toBeVisible();
  await page.keyboard.press("j");
  await expect(rowLink(page, "نورة")).toBeFocused();
  await page.keyboard.press("j");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.press("Enter");
  await expectOpen(page, "سعد");
  await expect(pane(page).getByRole("heading", { name: "سعد" })).toBeFocused();
  await pane(page).getByText("سعد 1").click();
  await page.keyboard.press("k");
  await expectOpen(page, "نورة");
  await expect(rowLink(page, "نورة")).toBeFocused();

  await page.keyboard.press("d");
  await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();
  await expectOpen(page, "سعد");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await page.keyboard.press("e");
  await expect(notice(page, "أُرشفت رسالة واحدة")).toBeVisible();
  await expectOpen(page, "ليلى");
  await expect(rowLink(page, "ليلى")).toBeFocused();
  await expect(card(page, "سعد")).toHaveCount(0);
  await page.keyboard.press("z");
  await expect(card(page, "سعد")).toHaveCount(1);

  await rowLink(page, "ليلى").focus();
  await page.keyboard.press("x");
  await expect(card(page, "ليلى").getByRole("checkbox")).toBeChecked();
  await page.keyboard.press("Escape");
  await expect(page).not.toHaveURL(/open=/);
  await expect(rowLink(page, "ليلى")).toBeFocused();
  await page.keyboard.press("/");
  await expect(page.getByRole("searchbox")).toBeFocused();
});

test("the keys work by their place with an Arabic layout, and not in a field @scripts", async () => {
  const page = await open();
  await rowLink(page, "نورة").focus();
  await pressArabic(page, "KeyJ", "ت");
  await expect(rowLink(page, "سعد")).toBeFocused();
  await pressArabic(page, "Slash", "ظ");
  await expect(page.getByRole("searchbox")).toBeFocused();
  await page.keyboard.type("jex/?");
  await expect(page.getByRole("searchbox")).toHaveValue("jex/?");
  await expect(page.getByRole("article")).toHaveCount(names.length);
  await openMessage(page, "سعد");
  await noteIn(page).pressSequentially("je?");
  await expect(noteIn(page)).toHaveValue("je?");
  await expect(page.getByRole("article")).toHaveCount(names.length);
});

test("outside of the list and the open message the keys do nothing @scripts", async () => {
  const page = await open();
  await openMessage(page, "سعد");
  await page.getByRole("link", { name: "حسابي" }).focus();
  for (const key of ["e", "d", "j", "Escape", "x", "/"]) {
    await page.keyboard.press(key);
  }
  await expect(page.getByRole("link", { name: "حسابي" })).toBeFocused();
  await expectOpen(page, "سعد");
  await expect(page.getByRole("article")).toHaveCount(names.length);
  // The same key works where the keys are.
  await rowLink(page, "سعد").focus();
  await page.keyboard.press("e");
  await expect(card(page, "سعد")).toHaveCount(0);
});

test("on a phone J and K go through the messages, and Escape back to the list @scripts", async () => {
  const page = await open({ width: 360, height: 740 });
  await openMessage(page, "نورة");
  await page.keyboard.press("j");
  await expectOpen(page, "سعد");
  await expect(pane(page).getByRole("heading", { name: "سعد" })).toBeFocused();
  await page.keyboard.press("k");
  await expectOpen(page, "نورة");
  await page.keyboard.press("Escape");
  await expect(rowLink(page, "نورة")).toBeFocused();
});

test("R replies by the better way @scripts", async () => {
  await board.store(["نورة"], { phone: "966501234567" });
  const page = await board.open();
  await expect(liveBadge(page)).toBeVisible();
  await page.context().route("https://wa.me/**", (route) => route.fulfill({ body: "WhatsApp" }));
  await openMessage(page, "نورة");
  const opened = page.context().waitForEvent("page");
  await page.keyboard.press("r");
  expect((await opened).url()).toContain("wa.me/966501234567");
});

test("a question mark shows the keys, and so does the rail @scripts", async () => {
  const page = await open({ width: 1440, height: 900 });
  await rowLink(page, "نورة").focus();
  // By its sign: it lies elsewhere on many layouts.
  await pressArabic(page, "KeyM", "؟");
  const help = page.getByRole("dialog", { name: "مفاتيح اللوحة" });
  await expect(help).toBeVisible();
  await expectGoodLooks(page, "the keys");
  await help.getByRole("button", { name: "إغلاق" }).click();
  await expect(help).toHaveCount(0);
  await page.keyboard.press("Shift+Slash");
  await expect(help).toBeVisible();
  await page.keyboard.press("Escape");
  await expect(help).toHaveCount(0);
  // Before the focus has gone to the help, Escape is the browser's all the same.
  await rowLink(page, "نورة").focus();
  expect(await page.evaluate(pressHelpThenEscape)).toEqual([true, false]);
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "مفاتيح اللوحة" }).click();
  await expect(help).toBeVisible();
});

test("a press while another action is sent does nothing @scripts", async () => {
  const page = await open();
  const sent: string[] = [];
  const gate = Promise.withResolvers<void>();
  await page.route(/\/admin\.data/, async (route) => {
    if (route.request().method() === "POST") {
      sent.push(route.request().postData() ?? "");
      await gate.promise;
    }
    await route.continue();
  });
  await openMessage(page, "نورة");
  const asked = page.waitForRequest((request) => request.method() === "POST");
  await page.keyboard.press("e");
  await asked;
  await page.keyboard.press("e");
  await page.keyboard.press("d");
  expect(sent).toHaveLength(1);
  gate.resolve();
  await expect(card(page, "نورة")).toHaveCount(0);
  await expect(page.getByRole("article")).toHaveCount(3);
  expect(sent.filter((body) => body.includes("archive"))).toHaveLength(1);
});

/** Whether the board took each of the two presses. */
function pressHelpThenEscape(): boolean[] {
  const target = document.activeElement ?? document.body;
  return [
    { key: "?", code: "Slash", shiftKey: true },
    { key: "Escape", code: "Escape" },
  ].map(
    (press) =>
      !target.dispatchEvent(
        new KeyboardEvent("keydown", { ...press, bubbles: true, cancelable: true }),
      ),
  );
}
