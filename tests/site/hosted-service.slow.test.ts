import { type AccessClaims, loadKeys, signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { listedFunctions } from "#app/supabase-calls.ts";
import { legacyKey, secretKey } from "#tests/support/keys.ts";
import { mailsTo } from "#tests/support/mails.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
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

const leave = async (visitor: Visitor, message: string) =>
  (await visitor.post("/", { name: "ن", email: "a@example.com", message })).status;

test("the database counts the visitors' addresses, not the site's", async () => {
  const one = new Visitor(site);
  for (let index = 0; index < 11; index += 1) {
    expect(await leave(new Visitor(site), `رسالة ${index}`)).toBe(302);
    expect(await leave(one, `رسالة ${20 + index}`)).toBe(index < 10 ? 302 : 429);
  }
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

test("accounts of browsers work beside a secret key: sign-up, sign-in, devices, board", async () => {
  const visitor = await signedUp(site);
  const iPhone = "Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Safari/604.1";
  const phone = new Visitor(site);
  const signIn = await phone.post("/auth", visitor.credentials, { "User-Agent": iPhone });
  expect(signIn.status).toBe(302);
  expect(decodeURIComponent(signIn.headers.location ?? "")).toContain("/admin");
  const account = await visitor.get("/account");
  expect(account.text).toContain("Chrome · Linux");
  expect(account.text).toContain("Safari · iPhone");
  const proof = { current: visitor.credentials.password };
  expect((await visitor.post("/account/sessions/others/end", proof)).status).toBe(302);
  expect((await phone.get("/admin")).headers.location).toContain("/auth");
  expect((await visitor.get("/admin")).status).toBe(200);
});

test("a site with a service_role key of the former kind stores messages and counts their visitors", async () => {
  const other = await startSite({ ...env, SUPABASE_SECRET_KEY: legacyKey });
  onTestFinished(() => other.stop());
  const visitor = await signedUp(other);
  expect((await visitor.get("/admin")).status).toBe(200);
  const sender = new Visitor(other);
  const statuses: number[] = [];
  for (let number = 0; number < 11; number += 1) {
    const message = { name: "ن", email: "a@example.com", message: `رسالة ${number}` };
    statuses.push((await sender.post("/", message)).status);
  }
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 302), 429]);
  expect(other.output()).not.toContain(" error ");
});

test("a password is reset by mail, and a second factor asks for its code", async () => {
  const { credentials } = await signedUp(site);
  const { email } = credentials;
  const visitor = new Visitor(site);
  expect((await visitor.post("/auth/forgot", { email })).status).toBe(302);
  const link = () =>
    mailsTo(supabase, email).then((mails) => mails.find((mail) => mail.link)?.link);
  await expect.poll(link, { timeout: 10_000 }).toBeDefined();
  const { pathname, search } = (await link()) ?? new URL(site.url);
  const opened = await visitor.post(pathname + search);
  expect(opened.status).toBe(302);
  expect(decodeURIComponent(opened.headers.location ?? "")).toContain("/account/password");
  const password = "another password";
  expect((await visitor.post("/account/password", { password })).status).toBe(302);

  const { app } = await setUpFactor(visitor, password);
  const again = new Visitor(site);
  const signIn = await again.post("/auth", { email, password });
  expect(signIn.status).toBe(302);
  expect(decodeURIComponent(signIn.headers.location ?? "")).toContain("/auth/code");
  const code = await again.post("/auth/code", { code: app.code() });
  expect(code.status).toBe(302);
  expect((await again.get("/admin")).status).toBe(200);
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
