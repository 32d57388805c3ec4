import { notice } from "#tests/support/browser/account.ts";
import { expectOpen, useBoard } from "#tests/support/browser/board.ts";
import {
  cardOf,
  expect,
  liveBadge,
  newMessage,
  postMessages,
  test,
} from "#tests/support/browser/test.ts";

const board = useBoard();

test("a new message appears in the open inbox once, on top", async ({ request }) => {
  await board.store(["نورة"]);
  const page = await board.open({}, "about:blank");
  // Realtime may deliver a message more than once.
  await page.routeWebSocket("**/admin/live", (socket) => {
    socket.connectToServer().onMessage((frame) => {
      socket.send(frame);
      socket.send(frame);
    });
  });
  // Only the server formats dates.
  await page.addInitScript(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", { value: () => "by a script" });
  });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();

  const [second, third] = [newMessage("سارة\u2026"), newMessage()];
  await postMessages(request, board.site, [second]);
  const toast = notice(page, "رسالة جديدة!");
  await expect(toast.filter({ hasText: `من ${second.name}` })).toBeVisible();
  await toast.getByRole("link").click();
  await expectOpen(page, second.name);
  await page.goBack();
  await expect(cardOf(page, second)).toHaveCount(1);
  await expect(page.getByRole("article").first()).toContainText(second.name);
  const date = cardOf(page, second).getByRole("time");
  await expect(date).toHaveText(/^[\u0660-\u0669]{1,2} .+ [\u0660-\u0669]{4} .+[صم]$/);
  const shown = await date.innerText();
  await postMessages(request, board.site, [third]);
  await expect(cardOf(page, third)).toHaveCount(1);
  await board.sql(
    `update public.contact_messages set archived_at = now() where name = '${third.name}'`,
  );
  await expect(cardOf(page, third)).toHaveCount(0);
  await page.reload();
  await expect(date).toHaveText(shown);
  expect(faults).toEqual([]);
});
