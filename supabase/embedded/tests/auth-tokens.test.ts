import { createClient } from "@supabase/supabase-js";
import { afterAll, describe, expect, test } from "vitest";
import { loadKeys } from "#embedded/keys.ts";
import { signAccessToken, verifyAccessToken } from "#embedded/tokens.ts";
import { newClient, password, send, signUp } from "./support/accounts.ts";
import { startNotes } from "./support/notes-site.ts";
import { withSuperuser } from "./support/superuser.ts";

const site = await startNotes();
afterAll(() => site.close());

describe("the key set", () => {
  test("holds only the public key, and is cacheable", async () => {
    const { json, headers } = await send(site, "GET", "/.well-known/jwks.json");
    expect(headers.get("cache-control")).toBe("public, max-age=600");
    const text = expect.any(String) as string;
    const key = { kty: "EC", crv: "P-256", x: text, y: text, kid: text };
    expect(json).toEqual({ keys: [{ ...key, alg: "ES256", use: "sig", key_ops: ["verify"] }] });
  });

  test("lets getClaims check a token without a request for the user", async () => {
    const { session, user } = await signUp(site);
    const asked: string[] = [];
    const client = createClient(site.url, site.publishableKey, {
      global: {
        fetch: (input, init) => {
          asked.push(new URL(new Request(input, init).url).pathname);
          return site.embedded.fetch(new Request(input, init));
        },
      },
    });
    const { data, error } = await client.auth.getClaims(session.access_token);
    expect(error).toBeNull();
    const integer = expect.any(Number) as number;
    expect(data?.claims).toEqual({
      iss: `${site.url}/auth/v1`,
      sub: user.id,
      aud: "authenticated",
      exp: integer,
      iat: integer,
      email: user.email,
      phone: "",
      app_metadata: user.app_metadata,
      user_metadata: {},
      role: "authenticated",
      aal: "aal1",
      amr: [{ method: "password", timestamp: integer }],
      session_id: expect.any(String) as string,
      is_anonymous: false,
    });
    expect(asked).toEqual(["/auth/v1/.well-known/jwks.json"]);
  });

  test("refuses a token with another signature in the client's own words", async () => {
    const [own, other] = [await signUp(site), await signUp(site)];
    const foreign = [
      ...own.session.access_token.split(".").slice(0, 2),
      other.session.access_token.split(".")[2],
    ].join(".");
    const { data, error } = await newClient(site).auth.getClaims(foreign);
    expect(data).toBeNull();
    expect(error?.message).toBe("Invalid JWT signature");
  });
});

test("an error has the code and the text that auth-js reads", async () => {
  const { status, headers, json } = await send(site, "GET", "/user");
  expect([status, headers.get("x-supabase-api-version")]).toEqual([401, "2024-01-01"]);
  const message = "This endpoint requires a valid Bearer token";
  expect(json).toEqual({ code: "no_authorization", message });
});

test("calls of different accounts at once never see each other's rights", async () => {
  const { client: one } = await signUp(site);
  const { client: other } = await signUp(site);
  await one.rpc("add_note", { text: "of one" });
  await other.rpc("add_note", { text: "of the other" });
  const clients = [one, other, newClient(site), one];
  for (let round = 0; round < 25; round += 1) {
    const answers = await Promise.all(clients.map((client) => client.rpc("my_notes")));
    expect(answers.map(({ status, data }) => [status, data])).toEqual([
      [200, ["of one"]],
      [200, ["of the other"]],
      [401, null],
      [200, ["of one"]],
    ]);
  }
});

test("an expired token is 401 PGRST303", async () => {
  const exp = Math.floor(Date.now() / 1000) - 1;
  const keys = await loadKeys(site.dataDir);
  const token = await signAccessToken(keys, { role: "authenticated", exp });
  const request = new Request(`${site.url}/rest/v1/rpc/my_notes`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: "{}",
  });
  const answer = await site.embedded.fetch(request);
  expect([answer.status, await answer.json()]).toEqual([
    401,
    expect.objectContaining({ code: "PGRST303", message: "JWT expired" }),
  ]);
});

test("a token that was accepted expires", async () => {
  const keys = await loadKeys(site.dataDir);
  const token = await signAccessToken(keys, { role: "authenticated", exp: 1000 });
  const isAccepted = async (second: number) =>
    (await verifyAccessToken(keys, token, second * 1000)).ok;
  expect(await isAccepted(999)).toBe(true);
  expect(await isAccepted(1000)).toBe(false);
  expect(await isAccepted(999)).toBe(true);
});

test.for([
  "banned_until = now() + interval '1 year'",
  "banned_until = 'infinity'",
  "deleted_at = now()",
])("an account with %s is refused in GoTrue's words", async (end) => {
  const { email, session } = await signUp(site);
  const { access_token: token, refresh_token: refresh } = session;
  await withSuperuser(site.dataDir, (sql) =>
    sql.script(`update auth.users set ${end} where email = '${email}'`),
  );
  const grant = (type: string, body: object) =>
    send(site, "POST", `/token?grant_type=${type}`, { body });
  const banned = { code: "user_banned", message: "User is banned" };
  const signedIn = await grant("password", { email, password });
  expect(signedIn).toMatchObject({ status: 400, json: banned });
  expect(await send(site, "GET", "/user", { token })).toMatchObject({
    status: 403,
    json: banned,
  });
  const refreshed = await grant("refresh_token", { refresh_token: refresh });
  const message = "Invalid Refresh Token: User Banned";
  expect(refreshed).toMatchObject({ status: 400, json: { ...banned, message } });
});
