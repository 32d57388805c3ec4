import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { openTab } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import { type Outside, startOutside } from "#tests/support/outside.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { Visitor, ask, newCredentials, signedUp } from "#tests/support/visitor.ts";

const origin = "https://tawasul.example";

let outside: Outside;
let sites: [RunningSite, RunningSite];
// Two processes of one site behind a balancer, on another machine's Supabase.
beforeAll(async () => {
  outside = await startOutside();
  await withSuperuser(
    outside.supabase.dataDir,
    (sql) => sql`update private.limits set points = 100000`,
  );
  const settings = { SITE_URL: origin, ...outside.env };
  sites = await Promise.all([startSite(settings), startSite(settings)]);
});
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()));
  await outside.close();
});

/** A visitor whose next request goes to another process. */
function moved(visitor: Visitor, site: RunningSite): Visitor {
  const other = new Visitor(site, origin);
  visitor.cookies.forEach((value, name) => other.cookies.set(name, value));
  return other;
}

const newText = (name: string) => ({
  name,
  email: "client@example.com",
  message: `أريد صفحة هبوط: ${name}`,
  t_extra: "",
});

test("a sign-in at one process is valid at the other, with the first one's notice", async () => {
  const credentials = newCredentials();
  await signedUp(sites[0], credentials, origin);
  const visitor = new Visitor(sites[0], origin);
  expect((await visitor.post("/auth", credentials)).status).toBe(302);
  const board = await moved(visitor, sites[1]).get("/admin");
  expect(board.status).toBe(200);
  expect(board.text).toContain("تم تسجيل الدخول بنجاح");
});

test("a message sent to one process is live on the boards of both, and is not spam", async () => {
  const reader = await signedUp(sites[0], newCredentials(), origin);
  const tabs = sites.map((site) =>
    openTab(site, { cookie: reader.cookieHeader(), address: newAddress(), origin }),
  );
  expect(await Promise.all(tabs.map(({ status }) => status))).toEqual([101, 101]);
  const visitor = new Visitor(sites[0], origin);
  await visitor.get("/");
  const sent = await moved(visitor, sites[1]).post("/", newText("رسالة حية"));
  expect(sent.status).toBe(302);
  for (const { frames, socket } of tabs) {
    await expect.poll(() => frames.filter((frame) => frame.includes("رسالة حية"))).toHaveLength(1);
    socket.close();
  }
});

test("boards that Realtime fails connect again, and are refused until it is back", async () => {
  const reader = await signedUp(sites[0], newCredentials(), origin);
  const open = () =>
    openTab(sites[0], { cookie: reader.cookieHeader(), address: newAddress(), origin });
  const { realtime } = outside.supabase;
  /** The site subscribes again after a pause. */
  const openAgain = async () => {
    let board: ReturnType<typeof open> | undefined;
    await expect
      .poll(
        async () => {
          board = open();
          return board.status;
        },
        { timeout: 15_000, interval: 500 },
      )
      .toBe(101);
    return board as ReturnType<typeof open>;
  };
  for (const lose of [realtime.cut, realtime.expireAll]) {
    const board = await openAgain();
    realtime.setFault("refuse");
    lose();
    expect(await board.closed).toBe(1001);
    expect(await open().status).toBe(503);
    realtime.setFault(undefined);
  }
  (await openAgain()).socket.close();
});

test("a rolling restart loses and doubles nothing, and boards connect to the other process", async () => {
  const reader = await signedUp(sites[0], newCredentials(), origin);
  const board = openTab(sites[0], { cookie: reader.cookieHeader(), address: newAddress(), origin });
  expect(await board.status).toBe(101);
  const acknowledged: string[] = [];
  const restart = async () => {
    for (const site of sites) {
      await site.restart("SIGTERM");
    }
  };
  const over = new AbortController();
  const restarted = restart().finally(() => over.abort());
  for (let round = 0; !over.signal.aborted; round += 1) {
    const name = `رسالة ${round}`;
    // Like a balancer: a request that one process did not answer goes to the other.
    const turns = round % 2 === 0 ? sites : sites.toReversed();
    await sleep(10);
    for (const site of turns) {
      const visitor = new Visitor(site, origin);
      const answer = await visitor.post("/", newText(name)).catch(() => undefined);
      if (answer?.status === 302) {
        acknowledged.push(name);
        break;
      }
    }
  }
  await restarted;
  expect(acknowledged.length).toBeGreaterThan(20);
  const names = await readMessages(outside.supabase.dataDir);
  const stored = new Set(names.map(({ name }) => name));
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect(stored.size).toBe(names.length);

  await board.closed;
  const again = openTab(sites[1], { cookie: reader.cookieHeader(), address: newAddress(), origin });
  expect(await again.status).toBe(101);
  again.socket.close();
});

test("a receipt is good at each process", async () => {
  const send = (text: string) =>
    sendForReceipt(sites[0], text, { sender: new Visitor(sites[0], origin) });
  const path = receiptPath(await send("أريد صفحة"));
  expect((await ask(sites[1], "GET", path)).text).toContain("أريد صفحة");
  expect((await new Visitor(sites[1], origin).post(path)).status).toBe(302);
  expect((await ask(sites[0], "GET", path)).status).toBe(410);
  expect(await storedWith(outside.supabase, "أريد صفحة")).toEqual([]);
});
