import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { startOutside } from "#tests/support/outside.ts";
import { startProxy } from "#tests/support/proxy.ts";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

// A site beside hosted Supabase: the proxy is its gateway, with single answers of GoTrue 2.196.
let outside: Awaited<ReturnType<typeof startOutside>>;
let gateway: Awaited<ReturnType<typeof startProxy>>;
let env: Record<string, string>;
const sites: RunningSite[] = [];
beforeAll(async () => {
  outside = await startOutside();
  gateway = await startProxy(outside.supabase);
  env = { ...outside.env, SUPABASE_URL: gateway.url };
});
afterEach(async () => {
  gateway.setRequests(() => "pass");
  for (const site of sites.splice(0)) {
    await site.stop();
  }
});
afterAll(async () => {
  await gateway?.stop();
  await outside?.supabase.close();
});

async function start(more: Record<string, string> = {}): Promise<RunningSite> {
  const site = await startSite({ ...env, ...more });
  sites.push(site);
  return site;
}

const autoconfirm = { status: 200, body: { mailer_autoconfirm: true } };
const unconfirmed = "لم تؤكّد هذا العنوان بعد";

test("a service that confirms no addresses is warned of, and the account page offers no confirmation", async () => {
  gateway.setRequests((path) => (path === "/auth/v1/settings" ? autoconfirm : "pass"));
  const site = await start();
  await expect.poll(() => site.output()).toMatch(/ warn .*SUPABASE_URL does not confirm addresses/);
  const account = await (await signedUp(site)).get("/account");
  expect([account.status, account.text.includes(unconfirmed)]).toEqual([200, false]);

  gateway.setRequests(() => "pass");
  const right = await start();
  expect((await (await signedUp(right)).get("/account")).text).toContain(unconfirmed);
  expect(right.output()).not.toContain("does not confirm addresses");
});

interface Asked {
  path: string;
  key: unknown;
  address: unknown;
  bearer: unknown;
}

/** Signs up and in, and returns the site's calls of it. */
async function recordVisit(site: RunningSite): Promise<{ asked: Asked[]; visitor: Visitor }> {
  const asked: Asked[] = [];
  gateway.setRequests((path, { headers }) => {
    const { apikey: key, authorization: bearer } = headers;
    asked.push({ path, key, address: headers["sb-forwarded-for"], bearer });
    return "pass";
  });
  const visitor = await signedUp(site);
  expect((await visitor.get("/admin")).status).toBe(200);
  return { asked, visitor };
}

test("with a secret key, the authentication's calls carry it and the visitor's address", async () => {
  const site = await start({ SUPABASE_SECRET_KEY: "sb_secret_of_the_test" });
  const { asked, visitor } = await recordVisit(site);
  const auth = asked.filter(({ path }) => /^\/auth\/v1\/(signup|user)/.test(path));
  expect(auth.length).toBeGreaterThanOrEqual(2);
  for (const { key, address, bearer } of auth) {
    expect([key, address]).toEqual(["sb_secret_of_the_test", visitor.address]);
    // The gateway refuses another key as the bearer.
    expect(String(bearer)).not.toContain("sb_publishable");
  }
  expect(auth.some(({ bearer }) => String(bearer).startsWith("Bearer ey"))).toBe(true);
  const others = asked.filter(({ path }) => !path.startsWith("/auth/v1/"));
  expect(others.length).toBeGreaterThan(0);
  expect(others.map(({ key }) => key)).not.toContain("sb_secret_of_the_test");
  expect((await visitor.get("/account")).text).not.toContain("sb_secret");
});

test("without one, no call names the visitor", async () => {
  const { asked } = await recordVisit(await start());
  expect(asked.map(({ address }) => address).filter(Boolean)).toEqual([]);
});

const linesWith = ({ output }: RunningSite, text: string) =>
  output()
    .split("\n")
    .filter((line) => line.includes(text));

test("a limit of the authentication is logged once a minute, a captcha once", async () => {
  const site = await start();
  const signIns = async (status: number, code: string) => {
    const body = { code, message: "no" };
    gateway.setRequests((path) => (path.startsWith("/auth/v1/token") ? { status, body } : "pass"));
    for (let round = 0; round < 3; round += 1) {
      const refused = await new Visitor(site).post("/auth", newCredentials());
      expect(refused.status).toBe(status);
    }
  };
  await signIns(429, "over_request_rate_limit");
  expect(linesWith(site, "limit=supabase-auth")).toHaveLength(1);
  await signIns(400, "captcha_failed");
  expect(linesWith(site, "captcha")).toEqual([expect.stringContaining("turn it off")]);
});

test("health and metrics name what is away", async () => {
  const port = String(await freePort());
  const site = await start({ METRICS_PORT: port });
  const state = async () => {
    const health = await fetch(`${site.url}/healthz`);
    return [health.status, await health.json()];
  };
  const up = { process: "ok", database: "ok", authentication: "ok" };
  expect(await state()).toEqual([200, up]);
  gateway.setRequests((path) => (path.startsWith("/auth/") ? 503 : "pass"));
  expect(await state()).toEqual([503, { ...up, authentication: "away" }]);
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  expect(metrics).toContain("\ntawasul_database_up 1\n");
  expect(metrics).toContain("\ntawasul_authentication_up 0\n");
  gateway.setRequests((path) => (path.startsWith("/rest/") ? 503 : "pass"));
  expect(await state()).toEqual([503, { ...up, database: "away" }]);
});

/** Returns the status. Fails if it takes longer than `seconds`. */
async function within(seconds: number, work: Promise<{ status: number }>): Promise<number> {
  const since = performance.now();
  const { status } = await work;
  expect(performance.now() - since).toBeLessThan(seconds * 1000);
  return status;
}

test("while the authentication hangs, the board shows its messages and a sign-out ends the session", async () => {
  const site = await start();
  const visitor = await signedUp(site);
  expect((await visitor.get("/admin")).status).toBe(200);
  const { access_token: token } = visitor.session();
  gateway.setRequests((path) => (path.startsWith("/auth/") ? "swallow" : "pass"));
  expect(await within(4, visitor.get("/admin"))).toBe(200);
  expect(await within(4, visitor.get("/account"))).toBe(200);
  expect(await within(5, visitor.post("/sign-out"))).toBe(302);
  const headers = { Authorization: `Bearer ${token}` };
  const after = await fetch(`${outside.supabase.url}/auth/v1/user`, { headers });
  expect([after.status, await after.json()]).toMatchObject([403, { code: "session_not_found" }]);
  expect(site.output()).not.toContain("A session was not ended");
});
