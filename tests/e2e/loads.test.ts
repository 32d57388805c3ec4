import { notice } from "#tests/support/browser/account.ts";
import { bar, card, expectOpen, rowLink, select, useBoard } from "#tests/support/browser/board.ts";
import { passSeconds } from "#tests/support/browser/clock.ts";
import {
  become,
  expect,
  isHydrated,
  isIdle,
  liveBadge,
  openLive,
  test,
} from "#tests/support/browser/test.ts";
import { settled } from "#tests/support/settled.ts";

const board = useBoard();

/** Beside it, the root's own data is read after a form. */
const isOfBoard = (url: string) =>
  url.includes("/admin.data") && decodeURIComponent(url).includes("_routes=routes/admin/board");

test("a board that was just loaded is read again once its socket is open, and a change of the box is one request", async () => {
  await board.store(["نورة"]);
  const page = await board.open({}, "about:blank");
  await page.clock.install();
  const asked: string[] = [];
  page.on("request", (request) => isOfBoard(request.url()) && asked.push(request.url()));
  const opened = Promise.withResolvers<void>();
  await page.routeWebSocket("**/admin/live", async (socket) => {
    await opened.promise;
    socket.connectToServer();
  });
  await page.goto("/admin");
  await page.waitForFunction(isHydrated);
  await expect(page.getByRole("article")).toHaveCount(1);
  // On a slow machine the scripts run before the browser says that the page is loaded.
  await page.evaluate(() => dispatchEvent(new PageTransitionEvent("pageshow")));
  await passSeconds(page, 3);
  expect(asked).toHaveLength(0);
  opened.resolve();
  await expect(liveBadge(page)).toBeVisible();
  // The clock must not jump over the beginning of that reading, which would then be asked for again.
  await expect.poll(() => asked).toHaveLength(1);
  await page.waitForFunction(isIdle);
  await passSeconds(page, 2);
  expect(asked).toHaveLength(1);
  await page.getByRole("link", { name: "المزعجة" }).click();
  await expect(page).toHaveURL(/box=spam/);
  await expect(page.getByRole("article")).toHaveCount(0);
  await passSeconds(page, 3);
  expect(asked).toHaveLength(2);
});

test("an own action loads the board twice, another's change once", async () => {
  await board.store(["نورة", "سعد", "ليلى"]);
  const page = await board.open();
  let changes = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => (changes += Number(payload === "null"))),
  );
  await openLive(page);
  let loads = 0;
  page.on("request", (request) => {
    loads += Number(request.method() === "GET" && isOfBoard(request.url()));
  });
  /** It must be that number, and stay. The board reads a change up to a second after its event. */
  const expectLoads = async (number: number) => {
    await expect.poll(() => loads).toBe(number);
    expect(await settled(async () => loads)).toBe(number);
  };

  await select(page, "نورة", "سعد");
  await bar(page).getByRole("button", { name: "أرشفة" }).click();
  await expect(notice(page, "أُرشفت رسالتان")).toBeVisible();
  await expect.poll(() => changes).toBe(1);
  await expectLoads(2);
  await page.getByRole("button", { name: "تراجع" }).click();
  await expect(card(page, "سعد")).toBeVisible();
  await expect.poll(() => changes).toBe(2);
  await expectLoads(4);

  await board.sql("update public.contact_messages set archived_at = now() where name = 'سعد'");
  await expect(card(page, "سعد")).toHaveCount(0);
  await expectLoads(5);
});

test("however many messages are deleted, an open board is read once a second at most", async () => {
  const names = Array.from({ length: 12 }, (_, index) => `زائر ${index}`);
  await board.store(names);
  const page = await board.open({}, "/privacy");
  await page.clock.install();
  let told = 0;
  page.on("websocket", (socket) =>
    socket.on("framereceived", ({ payload }) => (told += Number(payload === "null"))),
  );
  await openLive(page);
  await expect(page.getByRole("article")).toHaveCount(names.length);
  await page.clock.pauseAt((await page.evaluate(() => Date.now())) + 10_000);
  let reads = 0;
  page.on("request", (request) => (reads += Number(request.url().includes("/admin.data"))));

  for (const name of names) {
    await board.sql(`delete from public.contact_messages where name = '${name}'`);
  }
  await expect.poll(() => told).toBe(names.length);
  // The rest after the read before may still last.
  const readsSoon = () => page.clock.runFor(500).then(() => reads);
  await expect.poll(readsSoon).toBe(1);
  await page.clock.runFor(1000);
  await expect(page.getByRole("article")).toHaveCount(0);
  await expect(page.getByRole("link", { name: /^الرسائل/ })).toHaveText("الرسائل");
  await page.clock.runFor(10_000);
  expect(reads).toBeLessThanOrEqual(2);
});

test("a board reads ever more rarely while that fails, and not while it is hidden", async () => {
  const page = await board.open({}, "about:blank");
  await page.clock.install();
  await openLive(page);
  // At once, as a refused connection does: the reading begins and ends between two renders.
  const failing = await page.evaluateHandle(() => {
    const { fetch } = window;
    const counter = { reads: 0, end: () => void (window.fetch = fetch) };
    window.fetch = () => {
      counter.reads += 1;
      return Promise.reject(new TypeError("Failed to fetch"));
    };
    return counter;
  });
  const countReads = () => failing.evaluate(({ reads }) => reads);
  await become(page, "visible");
  await passSeconds(page, 60);
  // After pauses of 1, 2, 4, 8, 16 and 30 s, or of half as long.
  const reads = await countReads();
  expect(reads).toBeGreaterThan(4);
  expect(reads).toBeLessThan(10);
  await become(page, "hidden");
  await passSeconds(page, 60);
  expect(await countReads()).toBe(reads);
  await become(page, "visible");
  await failing.evaluate(({ end }) => end());
  await passSeconds(page, 1);
  await expect(page.getByText("تعذّر تحديث اللوحة")).toHaveCount(0);
});

test("a reading that a link ends is made again", async () => {
  await board.store(["نورة", "سعد"]);
  const page = await board.open();
  await openLive(page);
  const gate = Promise.withResolvers<void>();
  await page.route(/\.data/, async (route) => {
    await gate.promise;
    await route.continue();
  });
  const reading = page.waitForRequest(/\.data/);
  await board.sql("delete from public.contact_messages where name = 'سعد'");
  await reading;
  await rowLink(page, "نورة").click();
  await expectOpen(page, "نورة");
  gate.resolve();
  await expect(card(page, "سعد")).toHaveCount(0);
});
