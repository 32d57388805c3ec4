import { hash } from "@node-rs/argon2";
import { signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useApi, useSite } from "#tests/support/use-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import {
  type Answer,
  Visitor,
  newCredentials,
  signedIn,
  signedUp,
} from "#tests/support/visitor.ts";
import { expireToken } from "#tests/support/whole-visit.ts";

const site = useSite();
const api = useApi(site);

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

const sessionId = (visitor: Visitor) => decodeJwt(visitor.session().access_token)["session_id"];

const listed = (html: string) => html.match(/<time /g)?.length;

test("the page of an account lists 20 sessions and counts the rest; all others can be ended", async () => {
  const owner = await signedUp(site);
  expect(listed((await owner.get("/account")).text)).toBe(1);
  const first = await signedIn(site, owner.credentials);
  const last = await signedIn(site, owner.credentials);
  await withSuperuser(
    site.dataDir,
    (sql) => sql`
      insert into auth.sessions (id, user_id, aal, created_at, updated_at)
      select gen_random_uuid(), user_id, aal, created_at, now()
      from auth.sessions, generate_series(1, 22) where id = ${String(sessionId(first))}::text::uuid`,
  );
  const { text } = await owner.get("/account");
  expect(listed(text)).toBe(20);
  expect(text).toContain("هذا الجهاز");
  expect(text).toMatch(/جلسات أقدم لا تظهر هنا: (?:<!-- -->)?٥</);
  expect(text.length).toBeLessThan(60_000);

  const end = (current: string) => owner.post("/account/sessions/others/end", { current });
  expect([(await end("")).status, (await end("wrong one")).status]).toEqual([400, 400]);
  expect((await last.get("/account")).status).toBe(200);
  expect((await end(owner.credentials.password)).status).toBe(302);
  const [after, ...ended] = await Promise.all(
    [owner, first, last].map((visitor) => visitor.get("/account")),
  );
  expect(listed(after?.text ?? "")).toBe(1);
  expect(after?.text).not.toContain("جلسات أقدم");
  expect(ended.map(({ status }) => status)).toEqual([302, 302]);
});

function copyOf(visitor: Visitor): Visitor {
  const copy = new Visitor(site);
  visitor.cookies.forEach((value, name) => copy.cookies.set(name, value));
  return copy;
}

test("tabs that refresh an expired session at once all stay signed in", async () => {
  const visitor = await signedUp(site);
  expireToken(visitor);
  const tabs = Array.from({ length: 3 }, () => copyOf(visitor));
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

const cookieOf = ({ cookies }: Visitor) => cookies.get("session") ?? "";
const setCookieNames = ({ headers }: Answer) =>
  (headers["set-cookie"] ?? []).map((header) => header.slice(0, header.indexOf("=")));

test("a session cookie is set once in an answer, and alone where a session begins at once", async () => {
  const visitor = new Visitor(site);
  const credentials = newCredentials();
  const begun = [
    await visitor.post("/auth?mode=sign-up", credentials),
    await visitor.post("/auth", credentials),
  ].map(setCookieNames);
  for (const names of begun) {
    expect(names.filter((name) => /code-verifier/.test(name))).toEqual([]);
    expect(names.filter((name) => name === "session")).toEqual(["session"]);
  }
  const asked = setCookieNames(await visitor.post("/auth/forgot", credentials));
  expect(asked.filter((name) => /code-verifier/.test(name))).toEqual([]);
  const ended = setCookieNames(await visitor.post("/sign-out"));
  expect(visitor.cookies.has("session")).toBe(false);
  for (const names of [...begun, asked, ended]) {
    expect(names).toEqual([...new Set(names)]);
  }
});

test.for(["/auth/forgot", "/auth/resend"])(
  "the page for a mailed code has the address that %s was given, in this browser alone",
  async (path) => {
    const visitor = new Visitor(site);
    const email = `${crypto.randomUUID()}@example.com`;
    const { headers } = await visitor.post(path, { email });
    const page = headers.location ?? "";
    expect(page).not.toContain(email);
    expect((await visitor.get(page)).text).toContain(`value="${email}"`);
    expect((await new Visitor(site).get(page)).text).not.toContain(email);
    visitor.cookies.set("mailed", btoa(JSON.stringify(email)));
    expect((await visitor.get(page)).text).not.toContain(email);
  },
);

test("a session that is replaced by another ends", async () => {
  const visitor = await signedUp(site);
  const ids = [sessionId(visitor)];
  const sessions = async () => {
    const token = api.as(visitor.session().access_token);
    const { json } = await api.call(token, "my_sessions");
    return (json as { id: string }[]).map(({ id }) => id);
  };
  expect((await visitor.post("/auth", visitor.credentials)).status).toBe(302);
  ids.push(sessionId(visitor));
  expect(await sessions()).toEqual([ids[1]]);
  const { access_token: token } = visitor.session();
  expect((await visitor.post("/auth?mode=sign-up", newCredentials())).status).toBe(302);
  expect((await api.send(api.as(token), "GET", "/auth/v1/user")).status).toBe(403);
  // A refused sign-in ends nothing.
  const { access_token: kept } = visitor.session();
  const wrong = { ...visitor.credentials, password: "wrong one" };
  await visitor.post("/auth", wrong);
  expect((await api.send(api.as(kept), "GET", "/auth/v1/user")).status).toBe(200);
});

test("a session cookie that was planted before a sign-in does not survive it", async () => {
  const person = await signedUp(site);
  const plants: ((planted: string) => Record<string, string>)[] = [
    (planted) => ({ session: planted }),
    (planted) => ({ "session.0": planted }),
    (planted) => ({ "session.0": planted.slice(0, 900), "session.1": planted.slice(900) }),
    (planted) => ({ session: planted, "session.0": planted, "session.1": "x" }),
  ];
  for (const plant of plants) {
    // A session of its own, because the sign-in that replaces it ends it.
    const attacker = await signedUp(site);
    const cookies = plant(cookieOf(attacker));
    const victim = new Visitor(site);
    for (const [name, part] of Object.entries(cookies)) {
      victim.cookies.set(name, part);
    }
    expect((await victim.post("/auth", person.credentials)).status).toBe(302);
    expect(victim.sessionCookies().map(([name]) => name)).toEqual(["session"]);
    const page = await victim.get("/admin/claim");
    expect(page.text).toContain(person.credentials.email);
    expect(page.text).not.toContain(attacker.credentials.email);
    expect(sessionId(victim)).not.toBe(sessionId(attacker));
    expect(sessionId(victim)).not.toBe(sessionId(person));
  }
});

test("the page of a locked factor says how long to wait, in words and in Retry-After", async () => {
  const { credentials } = await signedUp(site);
  await api.enrol(await api.signIn(credentials));
  // As after many wrong codes.
  await withSuperuser(
    site.dataDir,
    (sql) => sql`
      insert into auth.factor_locks (user_id, wrong_codes, locked_until)
      select user_id, 40, now() + interval '1 day' from auth.mfa_factors`,
  );
  const visitor = new Visitor(site);
  await visitor.post("/auth", credentials);
  const answer = await visitor.post("/auth/code", { code: "123456" });
  expect(answer.status).toBe(429);
  expect(Number(answer.headers["retry-after"])).toSatisfy((s) => s > 86_000 && s <= 86_400);
  expect(answer.text).toContain("أعد المحاولة بعد ٢٤ ساعة");
});

test("a password signs in as either keyboard composes it, and as versions before stored it", async () => {
  const composed = "caf\u00E9-1234";
  const taken = "cafe\u0301-1234";
  const { email } = newCredentials();
  await new Visitor(site).post("/auth?mode=sign-up", { email, password: taken });
  for (const password of [composed, taken]) {
    expect((await new Visitor(site).post("/auth", { email, password })).status).toBe(302);
  }
  const old = await hash(taken);
  await withSuperuser(
    site.dataDir,
    (sql) => sql`update auth.users set encrypted_password = ${old} where email = ${email}`,
  );
  const statuses = [composed, taken].map(
    async (password) => (await new Visitor(site).post("/auth", { email, password })).status,
  );
  expect(await Promise.all(statuses)).toEqual([400, 302]);
});

test("an account can have an international domain, in either notation", async () => {
  const password = "a password";
  await signedUp(site, { email: "x@مثال.السعودية", password });
  for (const email of ["x@مثال.السعودية", "X@xn--mgbh0fb.xn--mgberp4a5d4ar"]) {
    const visitor = new Visitor(site);
    expect((await visitor.post("/auth", { email, password })).status).toBe(302);
    expect((await visitor.get("/admin")).status).toBe(200);
  }
});

test("a session that was checked counts no longer than its token", async () => {
  const visitor = await signedUp(site);
  const session = visitor.session();
  const claims = decodeJwt<{ role: string; exp: number }>(session.access_token);
  const exp = Math.floor(Date.now() / 1000) + 2;
  const token = await signAccessToken(api.keys, { ...claims, exp });
  visitor.setSession({ ...session, access_token: token, refresh_token: "forged" });
  const headers = { Cookie: visitor.cookieHeader() };
  const ask = () => new Visitor(site).get("/auth", headers);
  expect((await ask()).headers.location).toBe("/admin");
  await expect.poll(async () => (await ask()).status, { interval: 300 }).toBe(200);
}, 30_000);
