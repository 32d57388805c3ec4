import { hash } from "@node-rs/argon2";
import { decodeJwt } from "jose";
import { expect } from "vitest";
import { test } from "#tests/support/site-test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { type Answer, Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

const sessionId = (visitor: Visitor) => decodeJwt(visitor.session().access_token)["session_id"];
const cookieOf = ({ cookies }: Visitor) => cookies.get("session") ?? "";
const setCookieNames = ({ headers }: Answer) =>
  (headers["set-cookie"] ?? []).map((header) => header.slice(0, header.indexOf("=")));

test("a session cookie is set once in an answer, and alone where a session begins at once", async ({
  site,
}) => {
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
  async (path, { site }) => {
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

test("a session that is replaced by another ends", async ({ site, api }) => {
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

test("a session cookie that was planted before a sign-in does not survive it", async ({ site }) => {
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

test("the page of a locked factor says how long to wait, in words and in Retry-After", async ({
  site,
  api,
}) => {
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

test("a password signs in as either keyboard composes it, and as versions before stored it", async ({
  site,
}) => {
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
