import { afterAll, expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { mailsTo } from "#tests/support/mails.ts";
import { startSite } from "#tests/support/site.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { Visitor, newCredentials, signedIn, signedUp } from "#tests/support/visitor.ts";
import { expireToken } from "#tests/support/whole-visit.ts";

const site = await startSite();
afterAll(() => site.stop());
const api = await openApi(site);

test("an account can end only its own sessions", async () => {
  const victim = await signedUp(site);
  const stranger = await signedUp(site);
  const [{ id }] = (await api.call(api.as(victim.session().access_token), "my_sessions")).json;
  for (const session of [id, "not-an-id"]) {
    const form = { current: stranger.credentials.password };
    expect((await stranger.post(`/account/sessions/${session}/end`, form)).status).toBe(302);
  }
  expect((await victim.get("/account")).status).toBe(200);
});

const listed = (html: string) => html.match(/<time /g)?.length;

test("the page of an account lists 20 sessions and counts the rest; all others can be ended", async () => {
  const owner = await signedUp(site);
  expect(listed((await owner.get("/account")).text)).toBe(1);
  const others: Visitor[] = [];
  for (let count = 0; count < 24; count += 1) {
    others.push(await signedIn(site, owner.credentials));
  }
  const { text } = await owner.get("/account");
  expect(listed(text)).toBe(20);
  expect(text).toContain("هذا الجهاز");
  expect(text).toMatch(/جلسات أقدم لا تظهر هنا: (?:<!-- -->)?٥</);
  expect(text.length).toBeLessThan(60_000);

  const end = (current: string) => owner.post("/account/sessions/others/end", { current });
  expect([(await end("")).status, (await end("wrong one")).status]).toEqual([400, 400]);
  expect((await others[23]?.get("/account"))?.status).toBe(200);
  expect((await end(owner.credentials.password)).status).toBe(302);
  const [after, first, last] = await Promise.all([
    owner.get("/account"),
    others[0]?.get("/account"),
    others[23]?.get("/account"),
  ]);
  expect(listed(after.text)).toBe(1);
  expect(after.text).not.toContain("جلسات أقدم");
  expect([first?.status, last?.status]).toEqual([302, 302]);
});

function copyOf({ cookies }: Visitor): Visitor {
  const copy = new Visitor(site);
  for (const [name, value] of cookies) {
    copy.cookies.set(name, value);
  }
  return copy;
}

test("tabs that refresh an expired session at once all stay signed in", async () => {
  const visitor = await signedUp(site);
  expireToken(visitor);
  const tabs = Array.from({ length: 6 }, () => copyOf(visitor));
  const pages = await Promise.all(tabs.map((tab) => tab.get("/admin")));
  expect(pages.map(({ status }) => status)).toEqual(tabs.map(() => 200));
  // Every cookie that the browser may keep in the end works.
  const again = await Promise.all(tabs.map((tab) => tab.get("/admin")));
  expect(again.map(({ status }) => status)).toEqual(tabs.map(() => 200));
});

/** Moves everything so far two days into the past. */
const ageSessions = () =>
  withSuperuser(site.dataDir, async (sql) => {
    await sql`update auth.sessions set created_at = created_at - interval '2 days'`;
    await sql`update auth.mfa_amr_claims set updated_at = updated_at - interval '2 days'`;
  });

async function sessionsOf(visitor: Visitor): Promise<number> {
  const caller = api.as(visitor.session().access_token);
  const { json } = await api.call(caller, "my_sessions");
  return json.length;
}

test("a session of two days ago can change the account only with the password", async () => {
  const visitor = await signedUp(site);
  const { password: current } = visitor.credentials;
  await ageSessions();
  const email = newCredentials().email;
  const token = api.as(visitor.session().access_token);
  const refused = await api.send(token, "PUT", "/auth/v1/user", { email });
  expect([refused.status, refused.json.code]).toEqual([400, "reauthentication_needed"]);

  const changed = await visitor.post("/account/email", { email, current });
  expect([changed.status, changed.headers.location]).toEqual([302, "/account"]);
  await expect.poll(() => mailsTo(site, email)).toHaveLength(1);
  expect(await sessionsOf(visitor)).toBe(1);

  await ageSessions();
  await setUpFactor(visitor, current);
  expect(await sessionsOf(visitor)).toBe(1);
});

test("a session of two days ago changes the password with the current one, and a code if it has a factor", async () => {
  const visitor = await signedUp(site);
  const [first, second, third] = [visitor.credentials.password, "the second one", "the third one"];
  const other = await signedIn(site, visitor.credentials);
  await ageSessions();
  const change = (form: Record<string, string>) => visitor.post("/account/password", form);
  expect((await change({ password: second })).status).toBe(400);
  expect((await change({ password: second, current: "wrong one" })).status).toBe(400);
  const done = await change({ password: second, current: first });
  expect([done.status, done.headers.location]).toEqual([302, "/account"]);
  expect(await sessionsOf(visitor)).toBe(1);
  expect((await other.get("/account")).status).toBe(302);

  const { app } = await setUpFactor(visitor, second);
  await ageSessions();
  expect((await change({ password: third, current: second })).status).toBe(400);
  const wrong = await change({ password: third, current: second, code: "000000" });
  expect([wrong.status, await sessionsOf(visitor)]).toEqual([422, 1]);
  const again = await change({ password: third, current: second, code: app.code() });
  expect([again.status, again.headers.location]).toEqual([302, "/account"]);
  expect((await visitor.get("/account")).status).toBe(200);
  expect(await sessionsOf(visitor)).toBe(1);
});

test("with a second factor, an old session needs one of the two proofs", async () => {
  const visitor = await signedUp(site);
  const { password: current } = visitor.credentials;
  const { app, factor } = await setUpFactor(visitor, current);

  await ageSessions();
  const email = newCredentials().email;
  expect((await visitor.post("/account/email", { email, current })).status).toBe(302);
  await ageSessions();
  const addFactor = (code: string) => visitor.post("/account/factors/new", { name: "آخر", code });
  expect((await addFactor("000000")).status).toBe(422);
  expect((await addFactor(app.code())).text).toContain("otpauth://");
  await ageSessions();
  const caller = api.as(visitor.session().access_token);
  const path = `/auth/v1/factors/${factor}`;
  expect((await api.send(caller, "DELETE", path)).json.code).toBe("reauthentication_needed");
  const remove = (password: string) =>
    visitor.post(`/account/factors/${factor}/remove`, { current: password });
  expect((await remove("wrong one")).text).toContain("كلمة المرور الحالية غير صحيحة.");
  const removed = await remove(current);
  expect([removed.status, removed.headers.location]).toEqual([302, "/account"]);
  expect(await sessionsOf(visitor)).toBe(1);
});
