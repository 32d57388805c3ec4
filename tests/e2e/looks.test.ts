import type { Page } from "playwright/test";
import { setUpFactor } from "#tests/support/browser/account.ts";
import {
  action,
  noteIn,
  openMessage,
  pane,
  press,
  rowLink,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expectLooks, type Look } from "#tests/support/browser/looks.ts";
import {
  expect,
  fillMessage,
  newMessage,
  sendMessage,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";

const board = useBoard();

const submitEmpty = async (page: Page) => {
  await page.getByRole("button", { name: "متابعة" }).click();
  await expect(page.locator("[aria-invalid=true]")).toBeFocused();
};

// Without an address a state goes on from the one before.
const ofVisitors: Look[] = [
  [
    "the contact page with its reasons and details",
    "/",
    async (page) => {
      await page.getByRole("checkbox", { name: /لماذا صمّمتها/ }).check();
      await page.getByText("بياناتي ورمز QR").click();
    },
  ],
  [
    "a form with errors",
    "",
    async (page) => {
      await fillMessage(page, { name: " ", email: "a@b", message: " " });
      await sendMessage(page);
      await expect(page.getByLabel("الاسم")).toHaveAttribute("aria-invalid", "true");
    },
  ],
  [
    "the thanks",
    "",
    async (page) => {
      await fillMessage(page, newMessage());
      await sendMessage(page);
      await expect(page.getByText("وصلت رسالتك")).toBeVisible();
    },
  ],
  ["a receipt", "", (page) => page.getByRole("link", { name: "إيصال رسالتك" }).click()],
  ["the privacy page", "/privacy"],
  ["an unknown page", "/nope"],
];

const ofAccounts: Look[] = [
  [
    "a refused sign-in",
    "/auth",
    async (page) => {
      await submitCredentials(
        page,
        { email: "a@example.com", password: "wrong one" },
        "تسجيل الدخول",
      );
      await expect(page.getByRole("alert")).not.toHaveCount(0);
    },
  ],
  ["sign-up", "/auth?mode=sign-up"],
  ["a mail is under way", "/auth?check-mail"],
  ["a forgotten password", "/auth/forgot"],
  ["a code of a mail", "/auth/confirm?type=recovery&sent"],
  ["a link of a mail", "/auth/confirm?token_hash=x"],
];

const ofOwnAccount: Look[] = [
  ["the account", "/account"],
  ["a new address", "/account/email"],
  ["a new password", "/account/password"],
  ["a second app", "/account/factors/new", submitEmpty],
  ["its end", "/account/delete"],
  ["a closed board", "/admin"],
];

const names = ["نورة", "سعد", "ليلى", "ريم"];

const ofBoard: Look[] = [
  [
    "chosen and opened, with a notice",
    "/admin",
    async (page) => {
      await select(page, "نورة");
      await press(page, "سعد", "تم الرد");
      await expect(page.getByRole("button", { name: "تراجع" })).toBeVisible();
    },
  ],
  [
    "a refused note",
    "",
    async (page) => {
      await openMessage(page, "ليلى");
      await noteIn(page).fill("ن".repeat(2001));
      await pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();
      await expect(noteIn(page)).toHaveAttribute("aria-invalid", "true");
    },
  ],
  [
    "the keys",
    "",
    async (page) => {
      await rowLink(page, "ليلى").focus();
      await page.keyboard.press("Shift+Slash");
      await expect(page.getByRole("dialog")).toBeVisible();
    },
  ],
  ["results", "/admin?q=نورة&box=any"],
  ["an empty box", "/admin?box=spam"],
];

const onPhone: Look[] = [
  ["chosen", "/admin", (page) => select(page, "نورة")],
  [
    "an open message",
    "",
    async (page) => {
      await openMessage(page, "ليلى");
      await expect(action(page, "أرشفة")).toBeVisible();
    },
  ],
];

test("axe finds nothing on pages of visitors, and they fit each window", async ({ page }) => {
  await expectLooks(page, ofVisitors);
});

test("axe finds nothing on pages of accounts, and they fit each window", async ({ page }) => {
  await expectLooks(page, ofAccounts);
});

test("axe finds nothing on the pages of an own account, and they fit each window", async ({
  page,
}) => {
  const { password } = await signUp(page);
  await setUpFactor(page, password);
  await expectLooks(page, ofOwnAccount);
});

for (const [where, looks, viewport] of [
  // High enough that the bar covers nothing: axe reports a covered link as too small.
  ["the board", ofBoard, { width: 1280, height: 2000 }],
  ["a phone's board", onPhone, { width: 360, height: 3000 }],
] as const) {
  test(`axe finds nothing on ${where}, and it fits each window`, async () => {
    await board.store(names, { phone: "966501234567", note: "ملاحظة" });
    const page = await board.open({ viewport });
    await expectLooks(page, looks);
  });
}
