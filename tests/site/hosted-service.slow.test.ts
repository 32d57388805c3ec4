import { type AccessClaims, loadKeys, signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { listedFunctions } from "#app/supabase-calls.ts";
import { secretKey } from "#tests/support/keys.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { Visitor, newCredentials, signedIn, signedUp } from "#tests/support/visitor.ts";
import { within } from "#tests/support/within.ts";

// A site beside hosted Supabase: the proxy is its gateway, with single answers of GoTrue 2.196.
const { supabase, gateway, env, site } = useHostedSite();

/** Starts another site, stopped after the test. */
async function start(more: Record<string, string> = {}): Promise<RunningSite> {
  const other = await startSite({ ...env, ...more });
  onTestFinished(() => other.stop());
  return other;
}

const publishableKey = "sb_publishable_embedded";
const autoconfirm = { status: 200, body: { mailer_autoconfirm: true } };
const unconfirmed = "لم تؤكّد هذا العنوان بعد";

test("a service that confirms no addresses is warned of, and the account page offers no confirmation", async () => {
  gateway.setRequests((path) => (path === "/auth/v1/settings" ? autoconfirm : "pass"));
  const wrong = await start();
  await expect
    .poll(() => wrong.output())
    .toMatch(/ warn .*SUPABASE_URL does not confirm addresses/);
  const account = await (await signedUp(wrong)).get("/account");
  expect([account.status, account.text.includes(unconfirmed)]).toEqual([200, false]);

  gateway.setRequests(() => "pass");
  expect((await (await signedUp(site)).get("/account")).text).toContain(unconfirmed);
  expect(site.output()).not.toContain("does not confirm addresses");
});

interface Asked {
  path: string;
  key: unknown;
  address: unknown;
  bearer: unknown;
}

/** Signs up and in, and returns the site's calls of it. */
async function recordVisit(at: RunningSite): Promise<{ asked: Asked[]; visitor: Visitor }> {
  const asked: Asked[] = [];
  gateway.setRequests((path, { headers }) => {
    const { apikey: key, authorization: bearer } = headers;
    asked.push({ path, key, address: headers["sb-forwarded-for"], bearer });
    return "pass";
  });
  const visitor = await signedUp(at);
  expect((await visitor.get("/admin")).status).toBe(200);
  return { asked, visitor };
}

test("the authentication's calls carry the secret key and the visitor's address", async () => {
  const { asked, visitor } = await recordVisit(site);
  const auth = asked.filter(({ path }) => /^\/auth\/v1\/(signup|user)/.test(path));
  expect(auth.length).toBeGreaterThanOrEqual(2);
  for (const { key, address, bearer } of auth) {
    expect([key, address]).toEqual([secretKey, visitor.address]);
    // The gateway refuses another key as the bearer.
    expect(String(bearer)).not.toContain("sb_publishable");
  }
  expect(auth.some(({ bearer }) => String(bearer).startsWith("Bearer ey"))).toBe(true);
  expect((await visitor.get("/account")).text).not.toContain("sb_secret");
});

test("the database's calls for an account carry its token and the publishable key, those of the site the secret one", async () => {
  const { asked } = await recordVisit(site);
  const calls = asked.filter(({ path }) => path.startsWith("/rest/v1/"));
  const bySite = new Set(listedFunctions.site.map((name) => `/rest/v1/rpc/${name}`));
  for (const { path, key, bearer } of calls) {
    expect([path, key === secretKey]).toEqual([path, bySite.has(path)]);
    expect([path, String(bearer).startsWith("Bearer ey")]).toEqual([path, !bySite.has(path)]);
  }
  expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
});

const signIns = async (status: number, code: string) => {
  const body = { code, message: "no" };
  gateway.setRequests((path) => (path.startsWith("/auth/v1/token") ? { status, body } : "pass"));
  for (let round = 0; round < 3; round += 1) {
    const refused = await new Visitor(site).post("/auth", newCredentials());
    expect(refused.status).toBe(status);
  }
};

test("a limit of the authentication is logged once a minute, a captcha once", async () => {
  await signIns(429, "over_request_rate_limit");
  await expect.poll(() => site.linesWith("limit=supabase-auth")).toHaveLength(1);
  await signIns(400, "captcha_failed");
  await expect
    .poll(() => site.linesWith("captcha"))
    .toEqual([expect.stringContaining("turn it off")]);
});

/** The health, as it is told. */
const state = async () => {
  const health = await fetch(`${site.url}/healthz`, {
    headers: { "X-Forwarded-For": "192.0.2.1" },
  });
  return [health.status, await health.json()];
};

test("the health check names what does not answer", async () => {
  const up = { process: "ok", database: "ok", authentication: "ok", live: "ok" };
  expect(await state()).toEqual([200, up]);
  gateway.setRequests((path) => (path.startsWith("/auth/") ? 503 : "pass"));
  // It asks once a second at most.
  await expect.poll(state).toEqual([503, { ...up, authentication: "away" }]);
  gateway.setRequests((path) => (path.startsWith("/rest/") ? 503 : "pass"));
  await expect.poll(state).toEqual([503, { ...up, database: "away" }]);
});

async function ask(headers: Record<string, string>) {
  const answer = await fetch(`${gateway.url}/auth/v1/settings`, { headers });
  return [answer.status, await answer.text()];
}

describe("the gateway of the tests", () => {
  test("refuses requests without a key, with an unknown one and with another as the bearer", async () => {
    expect(await ask({})).toMatchObject([401, expect.stringContaining("No API key found")]);
    const invalid = [401, expect.stringContaining("Invalid API key")];
    expect(await ask({ apikey: "sb_publishable_old" })).toMatchObject(invalid);
    const other = { apikey: secretKey, Authorization: `Bearer ${publishableKey}` };
    expect(await ask({ ...other, "User-Agent": "node" })).toMatchObject(invalid);
    const same = { apikey: publishableKey, Authorization: `Bearer ${publishableKey}` };
    expect(await ask(same)).toMatchObject([200, expect.anything()]);
  });

  test.each([
    ["Mozilla/5.0 (Windows NT; Windows NT 10.0; de-DE) WindowsPowerShell/5.1.22621.4111", 401],
    ["Opera/9.80 (J2ME/MIDP; Opera Mini/9.80) Presto/2.12", 401],
    ["", 401],
    ["node", 200],
    ["curl/8.14.1", 200],
  ])("answers a secret key of the agent %j with %i", async (agent, status) => {
    expect((await ask({ apikey: secretKey, "User-Agent": agent }))[0]).toBe(status);
    expect((await ask({ apikey: publishableKey, "User-Agent": agent }))[0]).toBe(200);
  });

  test.each([
    ["", "Unexpected server response: 401"],
    ["&apikey=sb_publishable_old", "Unexpected server response: 401"],
    [`&apikey=${publishableKey}`, "open"],
  ])("answers a socket with %j: %s", async (key, said) => {
    const url = `${gateway.url.replace("http", "ws")}/realtime/v1/websocket?vsn=2.0.0${key}`;
    const socket = new WebSocket(url);
    onTestFinished(() => socket.terminate());
    const answered = await new Promise((resolve) => {
      socket.once("open", () => resolve("open"));
      socket.once("error", ({ message }) => resolve(message));
    });
    expect(answered).toBe(said);
  });

  test("takes another client's address beside a secret key only", async () => {
    const seen: unknown[] = [];
    gateway.setRequests((_path, { headers }) => {
      seen.push(headers["sb-forwarded-for"]);
      return "pass";
    });
    for (const apikey of [publishableKey, secretKey]) {
      await ask({ apikey, "Sb-Forwarded-For": "192.0.2.1", "User-Agent": "node" });
    }
    expect(seen).toEqual([undefined, "192.0.2.1"]);
  });
});

test("near the end of a token's life the pages work while the authentication hangs, and a sign-out ends the session", async () => {
  const credentials = newCredentials();
  await signedUp(site, credentials);
  const visitor = await signedIn(site, credentials);
  // The site reads the keys of tokens at its first page.
  expect((await visitor.get("/admin")).status).toBe(200);
  const { access_token: token, ...session } = visitor.session();
  const claims = decodeJwt<AccessClaims>(token);
  // auth-js renews a token in its last 90 seconds.
  const exp = Math.floor(Date.now() / 1000) + 60;
  const ending = await signAccessToken(await loadKeys(supabase.dataDir), { ...claims, exp });
  visitor.setSession({ ...session, access_token: ending, expires_at: exp });
  gateway.setRequests((path) => (path.startsWith("/auth/") ? "swallow" : "pass"));
  for (const path of ["/admin", "/account", "/auth"]) {
    const page = await within(5, visitor.get(path));
    expect([path, page.status]).toEqual([path, path === "/auth" ? 302 : 200]);
  }
  expect((await within(7, visitor.post("/sign-out"))).status).toBe(302);
  const headers = { Authorization: `Bearer ${ending}` };
  const after = await fetch(`${supabase.url}/auth/v1/user`, { headers });
  expect([after.status, await after.json()]).toMatchObject([403, { code: "session_not_found" }]);
  expect(site.output()).not.toContain("A session was not ended");
}, 30_000);
