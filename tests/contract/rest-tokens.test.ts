import { createHmac, generateKeyPairSync } from "node:crypto";
import { exportSPKI, SignJWT } from "jose";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Keys, loadKeys } from "#embedded/keys.ts";
import { signAccessToken } from "#embedded/tokens.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";

let server: TestServer;
let keys: Keys;
let good: string;
const inAMinute = () => Math.floor(Date.now() / 1000) + 60;

beforeAll(async () => {
  server = await startTestServer();
  keys = await loadKeys(server.dataDir);
  good = await signAccessToken(keys, { role: "authenticated", exp: inAMinute() });
});
afterAll(() => server.close());

async function ask(token: string | undefined, apikey = server.publishableKey) {
  const response = await fetch(`${server.url}/rest/v1/contact_messages?select=id`, {
    headers: { ...(apikey && { apikey }), ...(token && { authorization: `Bearer ${token}` }) },
  });
  return { status: response.status, body: (await response.json()) as Record<string, unknown> };
}

function encode(part: object): string {
  return Buffer.from(JSON.stringify(part)).toString("base64url");
}

describe("tokens on /rest/v1", () => {
  test("allow reading if genuine", async () => {
    expect(await ask(good)).toEqual({ status: 200, body: [] });
  });

  test("are refused with a changed payload, a foreign key, an unknown kid, alg none or HS256", async () => {
    const [header, , signature] = good.split(".");
    const service = { role: "service_role", exp: inAMinute() };
    const spki = await exportSPKI(keys.signing.publicKey);
    const hs256 = `${encode({ alg: "HS256", typ: "JWT", kid: keys.signing.kid })}.${encode(service)}`;
    const { privateKey } = generateKeyPairSync("ec", { namedCurve: "P-256" });
    const foreign = (kid: string) =>
      new SignJWT(service).setProtectedHeader({ alg: "ES256", kid }).sign(privateKey);
    const internal = new SignJWT(service)
      .setProtectedHeader({ alg: "HS256" })
      .sign(keys.derive("cookie"));
    const forged = [
      `${header}.${encode(service)}.${signature}`,
      `${encode({ alg: "none", typ: "JWT" })}.${encode(service)}.e30`,
      `${hs256}.${createHmac("sha256", spki).update(hs256).digest("base64url")}`,
      await foreign(keys.signing.kid),
      await foreign("another"),
      await internal,
    ];
    for (const token of forged) {
      expect(await ask(token)).toEqual({
        status: 401,
        body: {
          code: "PGRST301",
          details: "None of the keys was able to decode the JWT",
          hint: null,
          message: "No suitable key or wrong key type",
        },
      });
    }
  });

  test("are refused if expired or malformed", async () => {
    const expired = await signAccessToken(keys, { role: "authenticated", exp: inAMinute() - 61 });
    expect(await ask(expired)).toMatchObject({
      status: 401,
      body: { code: "PGRST303", message: "JWT expired" },
    });
    expect(await ask("nonsense")).toMatchObject({
      status: 401,
      body: { code: "PGRST301", message: "Expected 3 parts in JWT; got 1" },
    });
  });

  test("are refused with a role that the API does not have", async () => {
    for (const role of ["postgres", "supabase_admin", "supabase_auth_admin"]) {
      const token = await signAccessToken(keys, { role, exp: inAMinute() });
      expect((await ask(token)).status).toBeGreaterThanOrEqual(400);
    }
  });
});

describe("keys on /rest/v1", () => {
  test("are required, and must be the site's", async () => {
    expect(await ask(undefined, "")).toMatchObject({
      status: 401,
      body: { message: "No API key found in request" },
    });
    expect(await ask(undefined, "sb_publishable_other")).toMatchObject({
      status: 401,
      body: { message: "Invalid API key" },
    });
    expect((await ask(good, "")).status).toBe(401);
  });

  test("can be in the query", async () => {
    const url = `${server.url}/rest/v1/contact_messages?select=id&apikey=${server.secretKey}`;
    expect(await (await fetch(url)).json()).toEqual([]);
  });
});
