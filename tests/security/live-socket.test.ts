import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { signAccessToken } from "#embedded/tokens.ts";
import { newAddress } from "#tests/support/address.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { type LiveTab, openTab } from "#tests/support/live.ts";
import { type Api, openApi } from "#tests/support/api.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
let api: Api;
async function start() {
  site = await startSite();
  api = await openApi(site);
}
beforeAll(start);
afterAll(() => site?.stop());
const tabs: LiveTab[] = [];
afterEach(() => {
  for (const { socket } of tabs.splice(0)) {
    socket.terminate();
  }
});

const cookieOf = (visitor: Visitor) =>
  visitor
    .sessionCookies()
    .map(([name, value]) => `${name}=${value}`)
    .join("; ");

/** A cookie with another token in the place of the session's own. */
function cookieWith(visitor: Visitor, token: string): string {
  const session = JSON.stringify({ ...visitor.session(), access_token: token });
  return `session=base64-${Buffer.from(session).toString("base64url")}`;
}

function open(cookie: string, options: Partial<Parameters<typeof openTab>[1]> = {}): LiveTab {
  const tab = openTab(site, { address: newAddress(), ...options, cookie });
  tabs.push(tab);
  return tab;
}

async function statusOf(...args: Parameters<typeof open>): Promise<number> {
  const tab = open(...args);
  const status = await tab.status;
  tab.socket.terminate();
  return status;
}

async function insert(name: string, extra = {}) {
  const row = { name, email: "a@example.com", message: `نص ${name}`, ...extra };
  const answer = await api.send(api.service, "POST", "/rest/v1/contact_messages", row);
  expect(answer.status).toBe(201);
}

const namesOf = ({ frames }: LiveTab) =>
  frames.map((frame) => (JSON.parse(frame) as { name: string } | null)?.name);

async function signIn(credentials: { email: string; password: string }): Promise<Visitor> {
  const visitor = new Visitor(site);
  expect((await visitor.post("/auth", credentials)).status).toBe(302);
  return visitor;
}

test("each tab of each session hears of each message once, and of spam that there is some", async () => {
  const first = await signedUp(site);
  const second = await signedUp(site);
  const open3 = [first, first, second].map((visitor) => open(cookieOf(visitor)));
  for (const tab of open3) {
    expect(await tab.status).toBe(101);
  }
  await insert("أولى");
  await insert("مزعجة", { spam_signs: ["trap"] });
  await insert("ثانية");
  for (const tab of open3) {
    await expect.poll(() => namesOf(tab)).toEqual(["أولى", undefined, "ثانية"]);
    expect(JSON.parse(tab.frames[0] ?? "")).toMatchObject({
      email: "a@example.com",
      message: "نص أولى",
      spam_signs: null,
    });
  }
});

test("no page and no answer shows the browser a token or a key", async () => {
  const visitor = await signedUp(site);
  for (const path of ["/admin", "/admin.data", "/admin/live", "/admin/live.data", "/account"]) {
    const { text } = await visitor.get(path);
    expect([path, /eyJ[\w-]+\.|sb_(publishable|secret)/.exec(text)]).toEqual([path, null]);
  }
  expect((await visitor.get("/admin/live")).status).toBe(404);
});

describe("a socket is refused", () => {
  test("to pages of other sites", async () => {
    const cookie = cookieOf(await signedUp(site));
    const { host, port } = new URL(site.url);
    for (const origin of [
      "https://evil.example",
      "null",
      "",
      undefined,
      `${site.url}.evil.example`,
      `http://x-${host}`,
      `http://localhost:${Number(port) + 1}`,
      host,
    ]) {
      expect([origin, await statusOf(cookie, { origin })]).toEqual([origin, 403]);
    }
    const headers = { "X-Forwarded-Host": "evil.example" };
    expect(await statusOf(cookie, { origin: "http://evil.example", headers })).toBe(403);
    expect(await statusOf(cookie)).toBe(101);
  });

  test("without a session that is genuine and open", async () => {
    const visitor = await signedUp(site);
    const { access_token: token } = visitor.session();
    const claims = decodeJwt<{ role: string; exp: number }>(token);
    const [header = "", payload = "", signature = ""] = token.split(".");
    const owner = { ...claims, role: "service_role" };
    const forged = Buffer.from(JSON.stringify(owner)).toString("base64url");
    const old = await signAccessToken(api.keys, { ...claims, exp: Date.now() / 1000 - 1 });
    for (const [cookie, status] of [
      ["", 401],
      ["session=garbage", 401],
      [cookieWith(visitor, "a.b.c"), 401],
      [cookieWith(visitor, old), 401],
      [cookieWith(visitor, `${header}.${forged}.${signature}`), 403],
      [cookieWith(visitor, `${header}.${payload}.${signature.replace(/^./, "_")}`), 403],
      [cookieWith(visitor, token), 101],
    ] as const) {
      expect([cookie, await statusOf(cookie)]).toEqual([cookie, status]);
    }
    // An open socket of the session makes nothing of it easier.
    expect(await open(cookieOf(visitor)).status).toBe(101);
    expect(await statusOf(cookieWith(visitor, `${header}.${payload}.AAAA`))).toBe(403);
    const cookie = cookieOf(visitor);
    await visitor.post("/sign-out");
    expect(await statusOf(cookie)).toBe(403);
  });

  test("beyond a hundred of an address, or of a session", async () => {
    const cookie = cookieOf(await signedUp(site));
    const other = cookieOf(await signedUp(site));
    const address = "2001:db8:1:2::1";
    const many = Array.from({ length: 100 }, () => open(cookie, { address }));
    for (const tab of many) {
      expect(await tab.status).toBe(101);
    }
    expect(await statusOf(other, { address: "2001:db8:1:2::ffff" })).toBe(429);
    expect(await statusOf(other)).toBe(101);
    expect(await statusOf(cookie)).toBe(429);
    const [last] = many;
    last?.socket.close();
    await last?.closed;
    await expect.poll(() => statusOf(cookie, { address })).toBe(101);
  });
});

test("a browser that sends anything is cut", async () => {
  const cookie = cookieOf(await signedUp(site));
  for (const say of [
    ({ socket }: LiveTab) => socket.send("x"),
    ({ socket }: LiveTab) => socket.send(Buffer.alloc(1)),
    ({ socket }: LiveTab) => socket.send("x".repeat(1_000_000)),
    ({ socket }: LiveTab) => socket.ping(),
  ]) {
    const tab = open(cookie);
    expect(await tab.status).toBe(101);
    say(tab);
    // Cut off, or told that it is too much.
    expect([1006, 1009]).toContain(await tab.closed);
  }
});

test("with its token a socket ends, unless a tab brought a newer one", async () => {
  const visitor = await signedUp(site);
  const claims = decodeJwt<{ role: string; exp: number }>(visitor.session().access_token);
  const tokenFor = (seconds: number) =>
    signAccessToken(api.keys, { ...claims, exp: Math.floor(Date.now() / 1000) + seconds });
  const tab = open(cookieWith(visitor, await tokenFor(4)));
  expect(await tab.status).toBe(101);
  const renewed = open(cookieWith(visitor, await tokenFor(9)));
  expect(await renewed.status).toBe(101);
  await sleep(5500);
  await insert("بعد التجديد");
  await expect.poll(() => namesOf(tab)).toEqual(["بعد التجديد"]);
  expect(await tab.closed).toBe(1001);
  expect(await renewed.closed).toBe(1001);
});

test("behind a proxy that ends https, the https pages alone open one", async () => {
  const own = "https://site.example";
  const secure = await startSite({ SITE_URL: own });
  const cookie = cookieOf(await signedUp(secure, undefined, own));
  const address = newAddress();
  const tab = openTab(secure, { cookie, address, origin: own });
  tabs.push(tab);
  expect(await tab.status).toBe(101);
  const plain = openTab(secure, { cookie, address, origin: "http://site.example" });
  expect(await plain.status).toBe(403);
  await secure.stop();
  expect(await tab.closed).toBe(1001);
});

test("a Supabase that does not answer refuses for now, and soon", async () => {
  const silent = createServer((socket) => socket.on("error", () => undefined)).listen(0);
  await once(silent, "listening");
  const { port } = silent.address() as AddressInfo;
  const outside = await startSite({
    SUPABASE_URL: `http://127.0.0.1:${port}`,
    SUPABASE_PUBLISHABLE_KEY: "sb_publishable_none",
    SITE_SECRET: "a secret that counts for nothing here",
  });
  const exp = Math.floor(Date.now() / 1000) + 3600;
  const claims = Buffer.from(JSON.stringify({ session_id: randomUUID(), exp }));
  const token = `e30.${claims.toString("base64url")}.AAAA`;
  const session = { access_token: token, refresh_token: "x", expires_at: exp };
  const cookie = `session=base64-${Buffer.from(JSON.stringify(session)).toString("base64url")}`;
  const since = performance.now();
  const tab = openTab(outside, { cookie, address: newAddress() });
  expect(await tab.status).toBe(503);
  expect(performance.now() - since).toBeLessThan(8000);
  await outside.stop();
  silent.close();
});

describe("an inbox that gets an owner", () => {
  beforeEach(async () => {
    await site.stop();
    await start();
  });

  test("a socket is refused before the second factor, and to accounts that may not read", async () => {
    const owner = await signedUp(site);
    const other = await signIn(owner.credentials);
    const { token } = await api.enrol(owner.session().access_token);
    expect(await statusOf(cookieOf(other))).toBe(403);
    expect(await statusOf(cookieWith(owner, token))).toBe(101);
    const stranger = await signedUp(site);
    expect(await statusOf(cookieOf(stranger))).toBe(101);
    const code = new URL(site.claimPath(), site.url).searchParams.get("code");
    await api.send(api.as(token), "POST", "/rest/v1/rpc/claim_inbox", { code });
    expect(await statusOf(cookieOf(stranger))).toBe(403);
    expect(await statusOf(cookieWith(owner, token))).toBe(101);
  });

  test("an ended session hears nothing more at once, and its sockets close within 30 s", async () => {
    const signedOut = await signedUp(site);
    const endedElsewhere = await signedUp(site);
    const newPassword = await signedUp(site);
    const newFactor = await signedUp(site);
    const strangers = await signedUp(site);
    const owner = await signedUp(site);
    const factorCookie = cookieOf(await signIn(newFactor.credentials));
    const passwordCookie = cookieOf(await signIn(newPassword.credentials));
    const cookies = [
      cookieOf(signedOut),
      cookieOf(endedElsewhere),
      passwordCookie,
      factorCookie,
      cookieOf(strangers),
    ];
    const ended = cookies.map((cookie) => open(cookie));
    const dead = open(cookieOf(owner), { autoPong: false });
    const open1 = open(cookieOf(owner));
    for (const tab of [...ended, dead, open1]) {
      expect(await tab.status).toBe(101);
    }

    await signedOut.post("/sign-out");
    const other = await signIn(endedElsewhere.credentials);
    expect((await other.post("/account", { session: "others" })).status).toBe(302);
    const password = { password: "another one", current: newPassword.credentials.password };
    expect((await newPassword.post("/account/password", password)).status).toBe(302);
    await api.enrol(newFactor.session().access_token);
    const code = new URL(site.claimPath(), site.url).searchParams.get("code") ?? "";
    expect((await owner.post("/admin/claim", { code })).status).toBe(302);

    await insert("بعد النهاية");
    await expect.poll(() => namesOf(open1)).toEqual(["بعد النهاية"]);
    const late = sleep(30_000, 0);
    for (const tab of ended) {
      expect(await Promise.race([tab.closed, late])).toBe(1001);
      expect(tab.frames).toEqual([]);
    }
    // One that does not answer a ping until the next.
    expect(await Promise.race([dead.closed, sleep(30_000, 0)])).toBe(1006);
    expect(open1.socket.readyState).toBe(open1.socket.OPEN);
  }, 90_000);
});
