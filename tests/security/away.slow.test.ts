import { randomUUID } from "node:crypto";
import { type AccessClaims, loadKeys, signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { Visitor, type newCredentials, signedIn, signedUp } from "#tests/support/visitor.ts";
import { within } from "#tests/support/within.ts";

const { supabase, gateway, site } = useHostedSite();
let credentials: ReturnType<typeof newCredentials>;
beforeAll(async () => {
  ({ credentials } = await signedUp(site));
});

/** A visitor whose access token expired `seconds` ago. */
async function signedInBefore(seconds: number) {
  const visitor = await signedIn(site, credentials);
  const { access_token: token, ...session } = visitor.session();
  const expired = await signAccessToken(await loadKeys(supabase.dataDir), {
    ...(decodeJwt(token) as AccessClaims),
    exp: Math.floor(Date.now() / 1000) - seconds,
  });
  visitor.setSession({ ...session, access_token: expired, expires_at: decodeJwt(expired).exp });
  return { visitor, cookie: visitor.cookies.get("session") };
}

const isRefresh = (path: string) => path.includes("grant_type=refresh_token");

describe("a session that cannot be renewed for now is not ended", () => {
  test.each([429, 500, 502, "swallow"] as const)("by a refresh with %s", async (fate) => {
    const { visitor, cookie } = await signedInBefore(60);
    gateway.setRequests((path) => (isRefresh(path) ? fate : "pass"));
    const [board, claim, forgot] = await Promise.all([
      within(7, visitor.get("/admin")),
      visitor.get("/admin/claim"),
      visitor.post("/auth/forgot", { email: "a@example.com" }),
    ]);
    expect([board.status, claim.status, forgot.status]).toEqual([503, 503, 302]);
    expect(board.text).toContain("فشل تحميل الرسائل");
    expect(visitor.cookies.get("session")).toBe(cookie);

    gateway.setRequests(() => "pass");
    expect((await visitor.get("/admin")).status).toBe(200);
    expect(visitor.cookies.get("session")).not.toBe(cookie);
  });

  // Of a gateway, of other refreshes under way, of a hook.
  test.each([401, 409, 422])("nor by one with %i", async (status) => {
    const { visitor, cookie } = await signedInBefore(60);
    gateway.setRequests((path) => (isRefresh(path) ? status : "pass"));
    expect((await visitor.get("/admin")).status).toBe(503);
    expect(visitor.cookies.get("session")).toBe(cookie);
  });

  test("but a visitor can sign out meanwhile", async () => {
    const { visitor } = await signedInBefore(60);
    gateway.setRequests((path) => (isRefresh(path) ? 429 : "pass"));
    expect((await visitor.post("/sign-out")).status).toBe(302);
    expect(visitor.cookies.has("session")).toBe(false);
  });

  test("and a token that is valid for another minute is used", async () => {
    const { visitor } = await signedInBefore(-60);
    gateway.setRequests((path) => (isRefresh(path) ? 429 : "pass"));
    expect((await visitor.get("/admin")).status).toBe(200);
  });
});

test.each([429, 500])(
  "an account that is asked for in vain (%i) stays signed in",
  async (status) => {
    const visitor = await signedIn(site, credentials);
    gateway.setRequests((path) => (path === "/auth/v1/user" ? status : "pass"));
    expect((await visitor.get("/admin")).status).toBe(200);
  },
);

test("a refused refresh ends the session", async () => {
  const { visitor } = await signedInBefore(60);
  gateway.setRequests((path) => (isRefresh(path) ? 400 : "pass"));
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
    gateway.setRequests(() => fate);
    const message = { name: "ن", email: "a@example.com", message: "نص", t_extra: "" };
    const [board, account, health, sent, signIn, signOut] = await Promise.all([
      within(7, visitor.get("/admin")),
      within(7, visitor.get("/account")),
      within(4, visitor.get("/healthz")),
      within(12, visitor.post("/", message)),
      within(12, new Visitor(site).post("/auth", credentials)),
      within(7, visitor.post("/sign-out")),
    ]);
    expect([board.status, account.status, health.status]).toEqual([503, 503, 503]);
    expect([sent.status, signIn.status, signOut.status]).toEqual([503, 503, 302]);
    expect(sent.text).toContain("لا يُعرف هل وصلت رسالتك");
  },
);

test("with a service that swallows everything, sockets are refused soon, as a temporary fault", async () => {
  const cookie = cookieOf(await signedIn(site, credentials));
  gateway.setRequests(() => "swallow");
  gateway.setSockets("swallow");
  const { status } = openTab(site, { cookie, address: newAddress() });
  expect(await within(8, status)).toBe(503);
});

test("a counter of attempts that hangs refuses a sign-in in time, and who is signed in stays so", async () => {
  const visitor = await signedIn(site, credentials);
  gateway.setRequests((path) => (path.includes("/take_attempt") ? "swallow" : "pass"));
  const refused = await within(10, new Visitor(site).post("/auth", credentials));
  expect([refused.status, refused.text.includes(credentials.email)]).toEqual([503, true]);
  expect((await visitor.get("/admin")).status).toBe(200);
}, 30_000);

test("a note of a session that cannot be checked is shown again", async () => {
  const visitor = await signedIn(site, credentials);
  const session = visitor.cookies.get("session");
  // This site has not read the keys yet.
  await site.restart("SIGTERM");
  gateway.setRequests((path) => (path.includes("/auth/v1/") ? 500 : "pass"));
  const path = "/admin?box=waiting";
  const form = { id: randomUUID(), note: "نصها", stamp: "" };
  const refused = await visitor.post(path, form);
  expect(refused.status).toBe(503);
  expect(refused.text).toContain("لم يُحفظ ما كتبته لأن الموقع لم يستطع التحقق من جلستك");
  expect(refused.text).toContain(">نصها</textarea>");
  expect(refused.text).not.toContain('href="/auth');
  expect(visitor.cookies.get("session")).toBe(session);
  const seen = await visitor.post("/admin/seen", { seen: new Date().toISOString() });
  expect([seen.status, seen.text.includes("لم يُحفظ ما كتبته")]).toEqual([503, false]);

  gateway.setRequests(() => "pass");
  expect((await visitor.post(path, form)).status).toBe(403);
});
