import { afterAll, describe, expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { findLeaks, secretName } from "#tests/support/session-leaks.ts";
import { startSite } from "#tests/support/site.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

const site = await startSite();
afterAll(() => site.stop());
const api = await openApi(site);
const account = await signedUp(site);
await api.store({ name: secretName, email: "secret@example.com", message: "نص لا يعرفه غيري" });

const cookieOf = ({ cookies }: Visitor) => cookies.get("session") ?? "";

test("an account can end only its own sessions", async () => {
  const victim = await signedUp(site);
  const [{ id }] = (await api.call(api.as(victim.session().access_token), "my_sessions")).json;
  for (const session of [id, "not-an-id", ""]) {
    expect((await account.post("/account", { session })).status).toBe(302);
  }
  expect((await victim.get("/account")).status).toBe(200);
});

describe("a session cookie", () => {
  test.each([
    { session: "garbage" },
    { session: "base64-%%%" },
    { session: "base64-eyJhY2Nlc3NfdG9rZW4iOjF9" },
    { session: "%00%ff" },
    { "session.0": "base64-", "session.1": "garbage" },
    { "session.0": "base64-eyJhY2Nlc3NfdG9rZW4iOiIi", "session.2": "fQ" },
    { "session.99999999": "x" },
    { "session.__proto__": "x", "session.constructor": "x" },
  ])("that is broken is ignored: %j", async (cookies) => {
    const visitor = new Visitor(site);
    for (const [name, value] of Object.entries(cookies)) {
      visitor.cookies.set(name, value);
    }
    expect(await findLeaks(visitor)).toEqual([]);
    // It does not prevent a new session either.
    const signIn = await visitor.post("/auth", account.credentials);
    expect(signIn.status).toBe(302);
    expect((await visitor.get("/admin")).status).toBe(200);
  });

  test("of chunks of two accounts is one of the two or none, never a mixture", async () => {
    const other = await signedUp(site);
    const [mine, theirs] = [cookieOf(account), cookieOf(other)];
    for (const cookies of [
      { session: mine, "session.0": theirs },
      { "session.0": mine.slice(0, 900), "session.1": theirs.slice(900) },
      { "session.0": mine, "session.1": theirs },
    ]) {
      const visitor = new Visitor(site);
      for (const [name, part] of Object.entries(cookies)) {
        visitor.cookies.set(name, part);
      }
      const page = await visitor.get("/admin/claim");
      const shows = (email: string) => page.text.includes(email);
      expect([page.status, shows(account.credentials.email)]).toEqual(
        page.status === 302 ? [302, false] : [200, true],
      );
      expect(shows(other.credentials.email)).toBe(false);
    }
  });

  test("of a signed-out session no longer gives access to anything", async () => {
    const visitor = await signedUp(site, newCredentials());
    const { access_token: token, refresh_token: refreshToken } = visitor.session();
    const replayed = new Visitor(site);
    for (const [name, value] of visitor.cookies) {
      replayed.cookies.set(name, value);
    }
    expect((await replayed.get("/admin")).text).toContain(secretName);
    expect((await visitor.post("/sign-out")).status).toBe(302);
    expect(visitor.sessionCookies()).toEqual([]);

    // The token itself is valid until it expires, but its rights ended with its session.
    expect(await api.namesFor(api.as(token))).toEqual([]);
    const sorted = await api.run(
      api.as(token),
      (sql) => sql`update public.contact_messages set spam_signs = '{trap}' returning id`,
    );
    expect(sorted).toHaveLength(0);
    expect((await api.tryClaim(token, "00000-00000-00000-00000")).json).toBe(false);
    for (const [method, path] of [
      ["GET", "/user"],
      ["POST", "/factors"],
      ["PUT", "/user"],
    ] as const) {
      expect(
        (
          await api.send(
            api.as(token),
            method,
            `/auth/v1${path}`,
            method === "GET" ? undefined : {},
          )
        ).status,
      ).toBe(403);
    }
    const refreshed = await api.send(api.anon, "POST", "/auth/v1/token?grant_type=refresh_token", {
      refresh_token: refreshToken,
    });
    expect([refreshed.status, refreshed.json.access_token]).toEqual([400, undefined]);
    expect(await findLeaks(replayed)).toEqual([]);
  });
});

const listed = (html: string) => html.match(/<time /g)?.length;

test("the page of an account lists 20 sessions and counts the rest; all others can be ended", async () => {
  const owner = await signedUp(site);
  expect(listed((await owner.get("/account")).text)).toBe(1);
  const others: Visitor[] = [];
  for (let count = 0; count < 24; count += 1) {
    const other = new Visitor(site);
    expect((await other.post("/auth", owner.credentials)).status).toBe(302);
    others.push(other);
  }
  const { text } = await owner.get("/account");
  expect(listed(text)).toBe(20);
  expect(text).toContain("هذا الجهاز");
  expect(text).toMatch(/جلسات أقدم لا تظهر هنا: (?:<!-- -->)?٥</);
  expect(text.length).toBeLessThan(60_000);

  expect((await owner.post("/account", { session: "others" })).status).toBe(302);
  const [after, first, last] = await Promise.all([
    owner.get("/account"),
    others[0]?.get("/account"),
    others[23]?.get("/account"),
  ]);
  expect(listed(after.text)).toBe(1);
  expect(after.text).not.toContain("جلسات أقدم");
  expect([first?.status, last?.status]).toEqual([302, 302]);
});
