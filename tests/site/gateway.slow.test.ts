import { type AccessClaims, loadKeys, signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { describe, expect, onTestFinished, test } from "vitest";
import { WebSocket } from "ws";
import { legacyKey, secretKey } from "#tests/support/keys.ts";
import { mailsTo } from "#tests/support/mails.ts";
import { startSite } from "#tests/support/site.ts";
import { useHostedSite } from "#tests/support/use-hosted-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { newCredentials, signedIn, signedUp, Visitor } from "#tests/support/visitor.ts";
import { within } from "#tests/support/within.ts";

const publishableKey = "sb_publishable_embedded";

const { supabase, gateway, env, site } = useHostedSite();

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
