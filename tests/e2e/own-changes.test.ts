import { notice } from "#tests/support/browser/account.ts";
import { card, press, useBoard } from "#tests/support/browser/board.ts";
import { expect, openLive, test } from "#tests/support/browser/test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

test("an own action loads the board once, and another's change once more @scripts", async () => {
  await board.store(["نورة", "سعد", "ليلى"]);
  const page = await board.open();
  let changes = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => (changes += Number(payload === "null"))),
  );
  await openLive(page);
  let loads = 0;
  page.on("request", (request) => {
    loads += Number(request.method() === "GET" && request.url().includes("/admin.data"));
  });

  for (const name of ["نورة", "سعد"]) {
    await page.getByRole("checkbox", { name: new RegExp(name) }).check();
  }
  await page.locator("#sort").getByRole("button", { name: "أرشفة" }).click();
  await expect(notice(page, "أُرشفت رسالتان")).toBeVisible();
  await expect.poll(() => changes).toBe(2);
  await page.getByRole("button", { name: "تراجع" }).click();
  await expect(card(page, "سعد")).toBeVisible();
  await expect.poll(() => changes).toBe(4);
  await press(card(page, "ليلى"), "أرشفة");
  await expect(card(page, "ليلى")).toHaveCount(0);
  await expect.poll(() => changes).toBe(5);

  const { dataDir } = board.site;
  const archive = (name: string) =>
    withSuperuser(
      dataDir,
      (sql) => sql`update public.contact_messages set archived_at = now() where name = ${name}`,
    );
  await archive("سعد");
  await expect(card(page, "سعد")).toHaveCount(0);
  expect(loads).toBe(4);
  await archive("نورة");
  await expect(card(page, "نورة")).toHaveCount(0);
  expect(loads).toBe(5);
});
