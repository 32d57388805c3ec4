import type { Page } from "playwright/test";
import { press as pressIn, toggle } from "#tests/support/browser/board.ts";
import {
  cardOf,
  claimInbox,
  expect,
  liveBadge,
  type MessageText,
  newMessage,
  postMessages,
  signUp,
  submitCredentials,
  test as base,
} from "#tests/support/browser/test.ts";
import type { RunningSite } from "#tests/support/site.ts";

interface Devices {
  site: RunningSite;
  desk: Page;
  phone: Page;
}

/** An owner with an open board on each of two devices. */
const test = base.extend<{ devices: Devices }>({
  devices: async ({ browser, start }, use) => {
    test.slow();
    const site = await start();
    const desk = await browser.newPage({ baseURL: site.url });
    const account = await signUp(desk);
    await claimInbox(desk, site);
    const phone = await browser.newPage({ baseURL: site.url });
    await phone.goto("/auth");
    await submitCredentials(phone, account, "تسجيل الدخول");
    for (const page of [desk, phone]) {
      await expect(liveBadge(page)).toBeVisible();
    }
    await use({ site, desk, phone });
  },
});

async function send({ site, desk, phone }: Devices, ...texts: MessageText[]) {
  await postMessages(desk.request, site, texts);
  for (const page of [desk, phone]) {
    for (const text of texts) {
      await expect(cardOf(page, text)).toHaveCount(1);
    }
  }
}

const press = (page: Page, text: MessageText, name: string) => pressIn(cardOf(page, text), name);
const box = (page: Page, name: string) => page.getByRole("link", { name });

test("an action and its undo on one device show on the other", async ({ devices }) => {
  const { desk, phone } = devices;
  const [kept, moved] = [newMessage("باقية"), newMessage("منقولة")];
  await send(devices, kept, moved);
  await press(desk, kept, "تم الرد");
  await expect(cardOf(phone, kept)).toContainText("تم الرد");
  await press(phone, moved, "أرشفة");
  await expect(cardOf(desk, moved)).toHaveCount(0);
  await expect(box(desk, "المؤرشفة")).toContainText("١");
  await phone.getByRole("button", { name: "تراجع" }).click();
  await expect(cardOf(desk, moved)).toHaveCount(1);
  await expect(cardOf(desk, kept)).toHaveCount(1);
});

test("many changes at once make an open board load once a second", async ({ devices }) => {
  const { desk, phone } = devices;
  const texts = Array.from({ length: 20 }, (_, index) => newMessage(`رسالة ${index}`));
  await send(devices, ...texts);
  await desk.waitForTimeout(1500);
  const loads: number[] = [];
  desk.on("request", (request) => {
    if (request.url().includes("/admin.data")) {
      loads.push(Date.now());
    }
  });
  await phone.getByRole("checkbox", { name: "تحديد رسالة" }).first().check();
  await phone.getByRole("button", { name: "تحديد الكل" }).click();
  await phone.locator(".sort-bar").getByRole("button", { name: "أرشفة" }).click();
  await expect(desk.getByRole("article")).toHaveCount(0);
  await desk.waitForTimeout(3000);
  expect(loads.length).toBeLessThanOrEqual(3);
  for (const [index, time] of loads.slice(1).entries()) {
    expect(time - (loads[index] ?? 0)).toBeGreaterThanOrEqual(1000);
  }
});

test("a note that is being typed survives loads and its message's move", async ({ devices }) => {
  const { desk, phone } = devices;
  const [written, other] = [newMessage("ملاحظة"), newMessage("أخرى")];
  await send(devices, written, other);
  const card = cardOf(desk, written);
  await toggle(card);
  const area = card.getByLabel("ملاحظة لك وحدك");
  await area.pressSequentially("اتصلت به ");
  const loaded = desk.waitForResponse(/\/admin\.data/);
  await press(phone, other, "أرشفة");
  await loaded;
  await expect(cardOf(desk, other)).toHaveCount(0);
  await desk.keyboard.type("اليوم ");
  await press(phone, written, "أرشفة");
  await expect(card).toContainText("خرجت هذه الرسالة من القائمة");
  await desk.keyboard.type("مساءً");
  await expect(area).toBeFocused();
  await expect(area).toHaveValue("اتصلت به اليوم مساءً");
  await card.getByRole("button", { name: "حفظ الملاحظة" }).click();
  await expect(desk.getByText("حُفظت الملاحظة")).toBeVisible();
  await box(phone, "المؤرشفة").click();
  await expect(cardOf(phone, written)).toContainText("اتصلت به اليوم مساءً");
});
