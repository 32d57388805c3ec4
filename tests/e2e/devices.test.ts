import type { Page } from "playwright/test";
import { press as pressIn } from "#tests/support/browser/board.ts";
import {
  cardOf,
  expect,
  liveBadge,
  type MessageText,
  newMessage,
  postMessages,
  submitCredentials,
  test as base,
} from "#tests/support/browser/test.ts";
import { deleteMessages } from "#tests/support/messages.ts";
import type { RunningSite } from "#tests/support/site.ts";

interface Devices {
  site: RunningSite;
  desk: Page;
  phone: Page;
}

/** An owner with an open board on each of two devices. */
const test = base.extend<{ devices: Devices }>({
  devices: async ({ browser, owned: { site, owner } }, use) => {
    await deleteMessages(site.dataDir);
    const open = async () => {
      const page = await browser.newPage({ baseURL: site.url });
      await page.clock.install();
      await page.goto("/auth");
      await submitCredentials(page, owner.credentials, "تسجيل الدخول");
      await expect(liveBadge(page)).toBeVisible();
      return page;
    };
    await use({ site, desk: await open(), phone: await open() });
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
  // From now on the desk's time stands still; the load after the last message is over.
  await desk.clock.pauseAt(Date.now() + 10_000);
  let loads = 0;
  desk.on("request", (request) => (loads += Number(request.url().includes("/admin.data"))));
  await phone.getByRole("checkbox", { name: "تحديد رسالة" }).first().check();
  await phone.getByRole("button", { name: "تحديد الكل" }).click();
  await phone.locator(".sort-bar").getByRole("button", { name: "أرشفة" }).click();
  await expect(phone.getByRole("article")).toHaveCount(0);
  await expect.poll(() => loads).toBe(1);
  await desk.clock.runFor(900);
  expect(loads).toBe(1);
  await desk.clock.runFor(3000);
  await expect(desk.getByRole("article")).toHaveCount(0);
  expect(loads).toBeLessThanOrEqual(3);
});
