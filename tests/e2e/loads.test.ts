import { notice } from "#tests/support/browser/account.ts";
import { bar, card, select, useBoard } from "#tests/support/browser/board.ts";
import {
  comeBack,
  expect,
  liveBadge,
  openLive,
  signUp,
  test,
} from "#tests/support/browser/test.ts";
import { settled } from "#tests/support/settled.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const board = useBoard();

/** Beside it, the root's own data is read after a form. */
const isOfBoard = (url: string) =>
  url.includes("/admin.data") && decodeURIComponent(url).includes("_routes=routes/admin/board");

test("a change of the box is one request @scripts", async () => {
  await board.store(["نورة"]);
  const page = await board.open();
  await openLive(page);
  const asked: string[] = [];
  page.on("request", (request) => asked.push(request.url()));
  await page.getByRole("link", { name: "المزعجة" }).click();
  await expect(page).toHaveURL(/box=spam/);
  await expect(page.getByRole("article")).toHaveCount(0);
  expect(asked.filter((url) => url.includes(".data"))).toHaveLength(1);
});

test("an own action loads the board twice, another's change once @scripts", async () => {
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
  /** It must be that number, and stay. A change that was told is read up to a second later. */
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

  await withSuperuser(
    board.site.dataDir,
    (sql) => sql`update public.contact_messages set archived_at = now() where name = 'سعد'`,
  );
  await expect(card(page, "سعد")).toHaveCount(0);
  await expectLoads(5);
});

test("however many messages are deleted, an open board is read once a second at most @scripts", async () => {
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

  await withSuperuser(board.site.dataDir, async (sql) => {
    for (const name of names) {
      await sql`delete from public.contact_messages where name = ${name}`;
    }
  });
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

test("a board asks a site that is away ever more rarely, and not while it is hidden @scripts", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { fetch } = window;
    const asked: number[] = [];
    window.fetch = async (...args) => {
      if (args[0] !== "/healthz") {
        return fetch(...args);
      }
      if (Reflect.get(window, "isAway")) {
        asked.push(performance.now());
        throw new TypeError("away");
      }
      return Response.json({ database: "ok" });
    };
    Object.assign(window, { asked });
  });
  let isAway = false;
  // A socket that connects shows that the site is there.
  await page.routeWebSocket("/admin/live", (socket) =>
    isAway ? socket.close() : void socket.connectToServer(),
  );
  await page.clock.install();
  const become = (state: object, visibilityState = "visible") =>
    page.evaluate(
      ([given, value]) => {
        Object.assign(window, given);
        Object.defineProperty(document, "visibilityState", { value, configurable: true });
        document.dispatchEvent(new Event("visibilitychange", { bubbles: true }));
      },
      [state, visibilityState] as const,
    );
  const pauses = async () => {
    const asked: number[] = await page.evaluate(() => Reflect.get(window, "asked"));
    return asked.slice(1).map((time, index) => Math.round((time - (asked[index] ?? 0)) / 1000));
  };
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.runFor("00:05");
  isAway = true;
  await become({ isAway });
  await page.clock.runFor("00:40");
  const growing = [2, 4, 8, 16];
  expect(await pauses()).toEqual(growing);
  await become({}, "hidden");
  await page.clock.runFor("10:00");
  expect(await pauses()).toEqual(growing);
  await become({});
  expect(await pauses()).toHaveLength(5);
  isAway = false;
  await become({ isAway });
  await page.clock.runFor("00:02");
  await expect(page.getByText("تعذّر تحديث اللوحة")).toHaveCount(0);
  // Its socket may have broken in the ten minutes.
  await comeBack(page);
  await expect(liveBadge(page)).toBeVisible();
});
