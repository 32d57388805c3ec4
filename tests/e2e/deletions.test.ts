import { useBoard } from "#tests/support/browser/board.ts";
import { liveBadge, expect, test, untilReadAgain } from "#tests/support/browser/test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

test("however many messages are deleted, an open board is read once a second at most @scripts", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `زائر ${index}`);
  await board.store(names);
  const page = await board.open({}, "/privacy");
  await page.clock.install();
  let told = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => (told += Number(payload === "null"))),
  );
  await page.goto("/admin");
  await expect(liveBadge(page)).toBeVisible();
  await expect(page.getByRole("article")).toHaveCount(names.length);
  await untilReadAgain(page);
  // The rest after that read is over.
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 2000);
  let reads = 0;
  page.on("request", (request) => (reads += Number(request.url().includes("/admin.data"))));

  await withSuperuser(board.site.dataDir, async (sql) => {
    for (const name of names) {
      await sql`delete from public.contact_messages where name = ${name}`;
    }
  });
  await expect.poll(() => told).toBe(names.length);
  await expect.poll(() => reads).toBe(1);
  await page.clock.runFor(1000);
  await expect(page.getByRole("article")).toHaveCount(0);
  await page.clock.runFor(10_000);
  expect(reads).toBeLessThanOrEqual(2);
});
