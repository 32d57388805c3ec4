import { SignJWT, decodeJwt, exportJWK, exportSPKI, generateKeyPair } from "jose";
import { beforeAll, describe, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { cookieOf, openTab } from "#tests/support/live.ts";
import { findLeaks, secretName } from "#tests/support/session-leaks.ts";
import { useApi, useSite } from "#tests/support/use-site.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

const site = useSite();
const api = useApi(site);
let account: Awaited<ReturnType<typeof signedUp>>;
beforeAll(async () => {
  account = await signedUp(site);
  await api.store({ name: secretName, email: "secret@example.com", message: "نص لا يعرفه غيري" });
});

/** A visitor with a session cookie made by the test. */
function withSession(accessToken: string, more: object = {}): Visitor {
  const visitor = new Visitor(site);
  visitor.setSession({
    ...account.session(),
    access_token: accessToken,
    refresh_token: "forged",
    expires_at: Math.floor(Date.now() / 1000) + 3000,
    ...more,
  });
  return visitor;
}

async function signedElsewhere(token: string): Promise<string> {
  const { privateKey } = await generateKeyPair("ES256");
  return new SignJWT(decodeJwt(token))
    .setProtectedHeader({ alg: "ES256", kid: api.keys.signing.kid, typ: "JWT" })
    .sign(privateKey);
}

function encode(value: object) {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

function changed(token: string, header: object, claims: object, signature?: string) {
  const [oldHeader = "", oldClaims = "", oldSignature = ""] = token.split(".");
  return [merged(oldHeader, header), merged(oldClaims, claims), signature ?? oldSignature].join(
    ".",
  );
}

function merged(part: string, more: object) {
  return encode({ ...JSON.parse(Buffer.from(part, "base64url").toString()), ...more });
}

describe("a forged token", () => {
  const forgeries: Record<string, (token: string) => string | Promise<string>> = {
    "with another payload": (token) => changed(token, {}, { aal: "aal2" }),
    "with another role": (token) => changed(token, {}, { role: "service_role" }),
    "without a signature": (token) => changed(token, {}, {}, ""),
    "with alg none": (token) => changed(token, { alg: "none" }, {}, ""),
    "signed by HS256 with the public key": async (token) => {
      const secret = new TextEncoder().encode(await exportSPKI(api.keys.signing.publicKey));
      return new SignJWT(decodeJwt(token))
        .setProtectedHeader({ alg: "HS256", kid: api.keys.signing.kid, typ: "JWT" })
        .sign(secret);
    },
    "signed by another site under this site's key id": signedElsewhere,
    "signed by a key that it brings along": async (token) => {
      const { privateKey, publicKey } = await generateKeyPair("ES256");
      return new SignJWT(decodeJwt(token))
        .setProtectedHeader({
          alg: "ES256",
          kid: "mine",
          jwk: await exportJWK(publicKey),
          jku: "https://evil.example/jwks.json",
        })
        .sign(privateKey);
    },
    "with a path for a key id": (token) => changed(token, { kid: "../../../../dev/null" }, {}),
    "with a header that is no JSON": (token) => `bm9wZQ.${token.split(".").slice(1).join(".")}`,
  };

  test.each(Object.keys(forgeries))("%s is no session", async (name) => {
    const token = (await forgeries[name]?.(account.session().access_token)) ?? "";
    expect(await findLeaks(withSession(token))).toEqual([]);
    const rest = await api.call(api.as(token), "read_inbox");
    expect([rest.status, rest.text.includes(secretName)]).toEqual([401, false]);
    const user = await api.send(api.as(token), "GET", "/auth/v1/user");
    expect(user.status).toBe(403);
    const cookie = cookieOf(withSession(token));
    const { status } = openTab(site, { cookie, address: newAddress() });
    expect([401, 403]).toContain(await status);
  });

  test("in a genuine session's cookie does not become another account", async () => {
    const victim = await signedUp(site);
    const { sub } = decodeJwt(victim.session().access_token);
    const visitor = withSession(account.session().access_token, { user: { id: sub } });
    visitor.cookies.set("other", "x");
    const page = await visitor.get("/admin/claim");
    expect(page.status).toBe(200);
    expect(page.text).toContain(account.credentials.email);
    expect(page.text).not.toContain(victim.credentials.email);
  });

  test("that has expired is no session without a refresh token", async () => {
    const expired = await new SignJWT({ ...decodeJwt(account.session().access_token) })
      .setExpirationTime(Math.floor(Date.now() / 1000) - 60)
      .setProtectedHeader({ alg: "ES256", kid: api.keys.signing.kid, typ: "JWT" })
      .sign(api.keys.signing.privateKey);
    expect(await findLeaks(withSession(expired))).toEqual([]);
    expect(await findLeaks(withSession(expired, { expires_at: 1 }))).toEqual([]);
    expect(await findLeaks(withSession(expired, { expires_at: 1, refresh_token: null }))).toEqual(
      [],
    );
  });
});

function withCookies(cookies: Iterable<[name: string, value: string]>): Visitor {
  const visitor = new Visitor(site);
  for (const [name, value] of cookies) {
    visitor.cookies.set(name, value);
  }
  return visitor;
}

test("a session that this site did not sign keeps nobody from the contact form and /privacy", async () => {
  const visitor = withSession(await signedElsewhere(account.session().access_token));
  const { status, text } = await visitor.get("/privacy");
  expect([status, text.includes("تعذّرت قراءة هذه المدة")]).toEqual([200, false]);
  const message = { name: "زائر", email: "v@example.com", message: "أريد صفحة" };
  expect((await visitor.post("/", message)).status).toBe(302);
  // The first page that asks who it is removes the cookie.
  expect((await visitor.get("/admin")).status).toBe(302);
  expect(visitor.sessionCookies()).toEqual([]);
});

const valueOf = ({ cookies }: Visitor) => cookies.get("session") ?? "";

describe("a session cookie", () => {
  test.each([
    { session: "garbage" },
    { session: "%00%ff" },
    { "session.0": "base64-eyJhY2Nlc3NfdG9rZW4iOiIi", "session.2": "fQ" },
    { "session.__proto__": "x", "session.constructor": "x" },
  ])("that is broken is ignored: %j", async (cookies) => {
    const visitor = withCookies(Object.entries(cookies));
    expect(await findLeaks(visitor)).toEqual([]);
    // It does not prevent a new session either.
    const signIn = await visitor.post("/auth", account.credentials);
    expect(signIn.status).toBe(302);
    expect((await visitor.get("/admin")).status).toBe(200);
  });

  test("of chunks of two accounts is one of the two or none, never a mixture", async () => {
    const other = await signedUp(site);
    const [mine, theirs] = [valueOf(account), valueOf(other)];
    for (const cookies of [
      { session: mine, "session.0": theirs },
      { "session.0": mine.slice(0, 900), "session.1": theirs.slice(900) },
      { "session.0": mine, "session.1": theirs },
    ]) {
      const visitor = withCookies(Object.entries(cookies));
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
    const replayed = withCookies(visitor.cookies);
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
      const body = method === "GET" ? undefined : {};
      const refused = await api.send(api.as(token), method, `/auth/v1${path}`, body);
      expect(refused.status).toBe(403);
    }
    const refreshed = await api.send(api.anon, "POST", "/auth/v1/token?grant_type=refresh_token", {
      refresh_token: refreshToken,
    });
    expect([refreshed.status, refreshed.json.access_token]).toEqual([400, undefined]);
    expect(await findLeaks(replayed)).toEqual([]);
  });
});
