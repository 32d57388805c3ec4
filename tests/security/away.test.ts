import { randomUUID } from "node:crypto";
import { decodeJwt } from "jose";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { loadKeys } from "#embedded/keys.ts";
import { type AccessClaims, signAccessToken } from "#embedded/tokens.ts";
import type { TestServer } from "#tests/support/embedded-server.ts";
import { startOutside } from "#tests/support/outside.ts";
import { startProxy } from "#tests/support/proxy.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { type newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

let supabase: TestServer;
let proxy: Awaited<ReturnType<typeof startProxy>>;
let site: RunningSite;
let credentials: ReturnType<typeof newCredentials>;
beforeAll(async () => {
  const outside = await startOutside({ isTrusted: false });
  ({ supabase } = outside);
  proxy = await startProxy(supabase);
  site = await startSite({ ...outside.env, SUPABASE_URL: proxy.url });
  ({ credentials } = await signedUp(site));
});
afterEach(() => proxy.setRequests(() => "pass"));
afterAll(async () => {
  await site?.stop();
  await proxy?.stop();
  await supabase?.close();
});

async function signedIn(): Promise<Visitor> {
  const visitor = new Visitor(site);
  expect((await visitor.post("/auth", credentials)).status).toBe(302);
  return visitor;
}

/** A visitor whose access token expired `seconds` ago. */
async function signedInBefore(seconds: number) {
  const visitor = await signedIn();
  const { access_token: token, ...session } = visitor.session();
  const expired = await signAccessToken(await loadKeys(supabase.dataDir), {
    ...(decodeJwt(token) as AccessClaims),
    exp: Math.floor(Date.now() / 1000) - seconds,
  });
  const aged = { ...session, access_token: expired, expires_at: decodeJwt(expired).exp };
  const cookie = `base64-${Buffer.from(JSON.stringify(aged)).toString("base64url")}`;
  visitor.cookies.set("session", cookie);
  return { visitor, cookie };
}

/** Rejects if a response takes longer than the deadline of a page or form and some rendering. */
async function timed<T>(work: Promise<T>, withinMs: number): Promise<T> {
  const before = performance.now();
  const result = await work;
  expect(performance.now() - before).toBeLessThan(withinMs);
  return result;
}

const isRefresh = (path: string) => path.includes("grant_type=refresh_token");

describe("a session that cannot be renewed for now is not ended", () => {
  test.each([429, 500, 502, "swallow"] as const)("by a refresh with %s", async (fate) => {
    const { visitor, cookie } = await signedInBefore(60);
    proxy.setRequests((path) => (isRefresh(path) ? fate : "pass"));
    const board = await timed(visitor.get("/admin"), 7000);
    expect(board.status).toBe(503);
    expect(board.text).toContain("فشل تحميل الرسائل");
    expect(visitor.cookies.get("session")).toBe(cookie);
    expect((await visitor.get("/admin/claim")).status).toBe(503);
    expect((await visitor.post("/auth/forgot", { email: "a@example.com" })).status).toBe(302);
    expect(visitor.cookies.get("session")).toBe(cookie);

    proxy.setRequests(() => "pass");
    expect((await visitor.get("/admin")).status).toBe(200);
    expect(visitor.cookies.get("session")).not.toBe(cookie);
  });

  test("but a visitor can sign out meanwhile", async () => {
    const { visitor } = await signedInBefore(60);
    proxy.setRequests((path) => (isRefresh(path) ? 429 : "pass"));
    expect((await visitor.post("/sign-out")).status).toBe(302);
    expect(visitor.cookies.has("session")).toBe(false);
  });

  test("and a token that is valid for another minute is used", async () => {
    const { visitor } = await signedInBefore(-60);
    proxy.setRequests((path) => (isRefresh(path) ? 429 : "pass"));
    expect((await visitor.get("/admin")).status).toBe(200);
  });
});

test("a refused refresh ends the session", async () => {
  const { visitor } = await signedInBefore(60);
  proxy.setRequests((path) => (isRefresh(path) ? 400 : "pass"));
  expect((await visitor.get("/admin")).headers.location).toContain("/auth");
  expect(visitor.cookies.has("session")).toBe(false);
});

test.each([
  ["swallows requests", "swallow"],
  ["begins to answer", "stall"],
] as const)(
  "with a service that %s, pages respond within 5 seconds and forms within 10",
  async (_what, fate) => {
    const visitor = await signedUp(site);
    proxy.setRequests(() => fate);
    const [board, account, health] = await Promise.all([
      timed(visitor.get("/admin"), 7000),
      timed(visitor.get("/account"), 7000),
      timed(visitor.get("/healthz"), 4000),
    ]);
    expect([board.status, account.status, health.status]).toEqual([503, 503, 503]);
    const message = { name: "ن", email: "a@example.com", message: "نص", t_extra: "" };
    const [sent, signIn, signOut] = await Promise.all([
      timed(visitor.post("/", message), 12_000),
      timed(new Visitor(site).post("/auth", credentials), 12_000),
      timed(visitor.post("/sign-out"), 7000),
    ]);
    expect([sent.status, signIn.status, signOut.status]).toEqual([503, 503, 302]);
    expect(sent.text).toContain("لم تُرسل رسالتك بسبب عطل مؤقت");
  },
  60_000,
);

test("a counter of attempts that hangs does not lock the owner out", async () => {
  const visitor = await signedIn();
  proxy.setRequests((path) => (path.includes("/rest/v1/") ? "swallow" : "pass"));
  const answer = await timed(visitor.post("/auth", credentials), 10_000);
  expect(answer.status).toBe(302);
}, 30_000);

test("a note of a session that cannot be checked is shown again", async () => {
  const visitor = await signedIn();
  const session = visitor.cookies.get("session");
  // This site has not read the keys yet.
  await site.restart("SIGTERM");
  proxy.setRequests((path) => (path.includes("/auth/v1/") ? 500 : "pass"));
  const path = "/admin?box=waiting";
  const form = { id: randomUUID(), note: "نصها", stamp: "" };
  const refused = await visitor.post(path, form);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain("لم يُحفظ ما كتبته لأن الموقع لم يستطع التحقق من جلستك");
  expect(refused.text).toContain(">نصها</textarea>");
  expect(refused.text).not.toContain('href="/auth');
  expect(visitor.cookies.get("session")).toBe(session);
  const seen = await visitor.post("/admin", { seen: new Date().toISOString() });
  expect([seen.status, seen.text.includes("لم يُحفظ ما كتبته")]).toEqual([503, false]);

  proxy.setRequests(() => "pass");
  expect((await visitor.post(path, form)).status).toBe(403);
}, 60_000);
