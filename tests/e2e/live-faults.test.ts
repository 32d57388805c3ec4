import type { Page, WebSocketRoute } from "playwright/test";
import { startSite } from "./site.ts";
import { cardOf, expect, leaveMessage, liveBadge, newMessage, signUp, test } from "./test.ts";

test.beforeEach(({ scripts }) => {
  test.skip(!scripts, "a page without scripts holds no connection");
});

type Frame = [
  joinRef: string | null,
  ref: string | null,
  topic: string,
  event: string,
  payload: object,
];

/** Stands between the board and the site's real channel, to make faults that only networks make. */
async function intercept(page: Page) {
  let socket: WebSocketRoute | undefined;
  let join: Frame | undefined;
  let isMuted = false;
  await page.routeWebSocket(/\/realtime\/v1/, (route) => {
    socket = route;
    const server = route.connectToServer();
    route.onMessage((text) => {
      const frame = JSON.parse(String(text)) as Frame;
      if (frame[3] === "phx_join") join = frame;
      if (!isMuted) server.send(text);
    });
    server.onMessage((text) => isMuted || route.send(text));
    // A closing that the other side never answers.
    route.onClose((code, reason) => void (isMuted || server.close({ code, reason })));
  });
  return {
    /** Sends the page an event of its channel, as if the site had. */
    tell(event: string) {
      const [joinRef, , topic] = join ?? [];
      socket?.send(JSON.stringify([joinRef, joinRef, topic, event, {}]));
    },
    /** Nothing passes any more, and neither side learns of it. */
    mute() {
      isMuted = true;
    },
  };
}

test("a channel that closes while its token is renewed is opened again", async ({
  page,
  context,
}) => {
  await page.clock.install();
  const channel = await intercept(page);
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  const answer = Promise.withResolvers<void>();
  await page.route("**/admin/live", async (route) => {
    await answer.promise;
    await route.continue();
  });
  const asked = page.waitForRequest("**/admin/live");
  await page.clock.fastForward("01:00:00");
  await asked;
  channel.tell("phx_close");
  await expect(liveBadge(page)).toHaveCount(0);
  answer.resolve();
  await expect(liveBadge(page)).toBeVisible();
  const text = newMessage("بعد الإغلاق");
  await leaveMessage(context, text);
  await expect(cardOf(page, text)).toHaveCount(1);
});

test("a connection that died unnoticed is not called live", async ({ page }) => {
  await page.clock.install();
  const channel = await intercept(page);
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  channel.mute();
  const heartbeat = "00:26";
  await page.clock.fastForward(heartbeat);
  await page.clock.fastForward(heartbeat);
  await expect(liveBadge(page)).toHaveCount(0);
});

test("a channel that fails is not called live until it is back", async ({ page }) => {
  const channel = await intercept(page);
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  channel.tell("phx_error");
  await expect(liveBadge(page)).toHaveCount(0);
  await expect(liveBadge(page)).toBeVisible();
});

test("a board whose changes are not published is not called live", async ({ browser }) => {
  test.slow();
  const site = await startSite(
    {},
    "alter publication supabase_realtime drop table public.contact_messages",
  );
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  const told = page
    .waitForEvent("websocket")
    .then((socket) =>
      socket.waitForEvent("framereceived", ({ payload }) =>
        String(payload).includes("Unable to subscribe"),
      ),
    );
  await signUp(page);
  await told;
  await page.waitForTimeout(500);
  await expect(liveBadge(page)).toHaveCount(0);
  await context.close();
  await site.stop();
});

test("a browser whose clock is hours ahead does not ask for a token all the time", async ({
  page,
}) => {
  await page.addInitScript(() => {
    const { now } = Date;
    Date.now = () => now() + 3 * 60 * 60 * 1000;
  });
  let asked = 0;
  page.on("request", (request) => (asked += Number(request.url().endsWith("/admin/live"))));
  await signUp(page);
  await expect(liveBadge(page)).toBeVisible();
  await page.waitForTimeout(5000);
  expect(asked).toBe(1);
});
