import { notice } from "#tests/support/browser/account.ts";
import { card, press, useBoard } from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

test("in one column the notice covers no action of the next message, and no toast covers either @scripts", async () => {
  for (const viewport of [
    { width: 390, height: 844 },
    { width: 412, height: 915 },
    { width: 768, height: 1024 },
    { width: 820, height: 1180 },
  ]) {
    await board.store(["نورة", "سعد", "ليلى"]);
    const page = await board.open({ viewport });
    await expect(liveBadge(page)).toBeVisible();
    await press(card(page, "نورة"), "أرشفة");
    const bar = await notice(page, "أُرشفت رسالة واحدة").boundingBox();
    const actions = card(page, "سعد").locator(".actions");
    await expect(actions).toBeVisible();
    const top = (await actions.boundingBox())?.y;
    expect((bar?.y ?? 0) + (bar?.height ?? 0), `${viewport.width}`).toBeLessThanOrEqual(top ?? 0);
    const row = { name: "ريم", email: "reem@example.com", message: "سلام" };
    await storeMessages(board.site.dataDir, [row]);
    // It rises to its place.
    const toastEnds = async () => {
      const toast = await notice(page, "رسالة جديدة!").boundingBox();
      return (toast?.y ?? 0) + (toast?.height ?? 0);
    };
    await expect.poll(toastEnds).toBeLessThanOrEqual(bar?.y ?? 0);
    await page.context().close();
  }
});
