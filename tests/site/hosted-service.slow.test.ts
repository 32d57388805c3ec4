import { expect, onTestFinished, test } from "vitest";
import { listedFunctions } from "#app/supabase-calls.ts";
import { startHook } from "#tests/support/hook.ts";
import { legacyKey, secretKey } from "#tests/support/keys.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { callAsSite } from "#tests/support/site-call.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";
import { wholeVisit } from "#tests/support/whole-visit.ts";
import { within } from "#tests/support/within.ts";

// A site beside hosted Supabase: the proxy is its gateway, with single answers of GoTrue 2.196. Without
// the prefix of its kind, or with the agent of a browser, the gateway refuses a secret key.
const { supabase, gateway, env, site, signedInFor } = useHostedSite();

test("an account signs up, sets up a factor, signs in by its code, and reads live what a visitor sends, with both kinds of secret key", async () => {
  const legacy = await startSite({ ...env, SUPABASE_SECRET_KEY: legacyKey });
  onTestFinished(() => legacy.stop());
  for (const each of [site, legacy]) {
    const { owner } = await wholeVisit({ url: each.url, dataDir: supabase.dataDir });
    expect((await owner.get("/admin")).status).toBe(200);
    const path = receiptPath(await sendForReceipt(each, "أريد متجرًا"));
    expect((await new Visitor(each).post(path)).status).toBe(302);
    expect(await storedWith(supabase, "أريد متجرًا")).toEqual([]);
    expect(each.output()).not.toContain(" error ");
  }
});

interface Asked {
  path: string;
  key: unknown;
  address: unknown;
  bearer: unknown;
}

test("the secret key goes to the authentication, with the visitor's address, and to the functions of the site, all else has the account's token", async () => {
  const asked: Asked[] = [];
  gateway.setRequests((path, { headers }) => {
    const { apikey: key, authorization: bearer } = headers;
    asked.push({ path, key, address: headers["sb-forwarded-for"], bearer });
    return "pass";
  });
  const visitor = await signedUp(site);
  expect((await visitor.get("/admin")).status).toBe(200);
  const account = await visitor.get("/account");
  expect(account.text).toContain("لم تؤكّد هذا العنوان بعد");
  expect(account.text).not.toContain("sb_secret");

  const auth = asked.filter(({ path }) => /^\/auth\/v1\/(signup|user)/.test(path));
  expect(auth.length).toBeGreaterThanOrEqual(2);
  for (const { key, address, bearer } of auth) {
    expect([key, address]).toEqual([secretKey, visitor.address]);
    // The gateway refuses another key as the bearer.
    expect(String(bearer)).not.toContain("sb_publishable");
  }
  expect(auth.some(({ bearer }) => String(bearer).startsWith("Bearer ey"))).toBe(true);
  const calls = asked.filter(({ path }) => path.startsWith("/rest/v1/"));
  const bySite = new Set(listedFunctions.site.map((name) => `/rest/v1/rpc/${name}`));
  for (const { path, key, bearer } of calls) {
    expect([path, key === secretKey]).toEqual([path, bySite.has(path)]);
    expect([path, String(bearer).startsWith("Bearer ey")]).toEqual([path, !bySite.has(path)]);
  }
  expect(new Set(calls.map(({ key }) => key)).size).toBe(2);
});

test("the owner claims the inbox, gets a notification, and sees the counters", async () => {
  await using hook = await startHook();
  const notifying = await startSite({ ...env, NOTIFICATION_URL: hook.url });
  onTestFinished(() => notifying.stop());
  const owner = await signedUp(notifying);
  const { data: code } = await callAsSite(supabase, "new_claim_code", {});
  expect((await owner.post("/admin/claim", { code })).status).toBe(302);
  await new Visitor(notifying).get("/");
  await sendForReceipt(notifying, "أريد متجرًا آخر");
  await expect.poll(() => hook.posts.length).toBe(1);
  expect((await owner.get("/account")).text).toContain("مشاهدات الصفحة");
  // The button saves the numbers first.
  await owner.post("/account", { counts: "on" });
  const [views] = await withSuperuser(
    supabase.dataDir,
    (sql) => sql`select sum(times)::int as times from private.counts where what = 'view'`,
  );
  expect(views?.["times"]).toBeGreaterThan(0);
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
  await signIns(429, "over_email_send_rate_limit");
  await expect.poll(() => site.linesWith("limit=supabase-mails")).toHaveLength(1);
  expect(site.linesWith("limit=supabase-auth")).toEqual([]);
  await signIns(429, "over_request_rate_limit");
  await expect.poll(() => site.linesWith("limit=supabase-auth")).toHaveLength(1);
  await signIns(400, "captcha_failed");
  await expect
    .poll(() => site.linesWith("captcha"))
    .toEqual([expect.stringContaining("turn it off")]);
});

test("while the authentication hangs, a sign-out ends the session", async () => {
  // auth-js renews a token in its last 90 seconds.
  const visitor = await signedInFor(60);
  // The site reads the keys of tokens at its first page.
  expect((await visitor.get("/account")).status).toBe(200);
  const headers = { Authorization: `Bearer ${visitor.session().access_token}` };
  gateway.setRequests((path) => (path.startsWith("/auth/") ? "swallow" : "pass"));
  expect((await within(7, visitor.post("/sign-out"))).status).toBe(302);
  const after = await fetch(`${supabase.url}/auth/v1/user`, { headers });
  expect([after.status, await after.json()]).toMatchObject([403, { code: "session_not_found" }]);
  expect(site.output()).not.toContain("A session was not ended");
});
