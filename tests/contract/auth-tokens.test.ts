import type { JsonWebKey } from "node:crypto";
import { createClient } from "@supabase/supabase-js";
import { loadKeys, signAccessToken, verifyAccessToken } from "embedded-supabase/testing";
import { describe, expect } from "vitest";
import { type AuthServer, newClient, password, send, signUp } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

async function publicJwk(server: AuthServer) {
  const { json, headers } = await send(server, "GET", "/.well-known/jwks.json");
  const { keys } = json as { keys: [JsonWebKey & { kid: string }] };
  return { jwk: keys[0], keys, headers };
}

describe("the key set", () => {
  test("holds only the public key, and is cacheable", async ({ server }) => {
    const { keys, headers } = await publicJwk(server);
    expect(headers.get("cache-control")).toBe("public, max-age=600");
    const text = expect.any(String) as string;
    expect(keys).toEqual([
      {
        kty: "EC",
        crv: "P-256",
        x: text,
        y: text,
        kid: text,
        alg: "ES256",
        use: "sig",
        key_ops: ["verify"],
      },
    ]);
  });

  test("lets getClaims check a token without a request for the user", async ({ server }) => {
    const { session, user } = await signUp(server);
    const asked: string[] = [];
    const client = createClient(server.url, server.publishableKey, {
      global: {
        fetch: (input, init) => {
          asked.push(new URL(new Request(input, init).url).pathname);
          return server.embedded.fetch(new Request(input, init), { address: "127.0.0.1" });
        },
      },
    });
    const { data, error } = await client.auth.getClaims(session.access_token);
    expect(error).toBeNull();
    const integer = expect.any(Number) as number;
    expect(data?.claims).toEqual({
      iss: `${server.url}/auth/v1`,
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

  test("refuses a token with another signature in the client's own words", async ({ server }) => {
    const [own, other] = [await signUp(server), await signUp(server)];
    const foreign = [
      ...own.session.access_token.split(".").slice(0, 2),
      other.session.access_token.split(".")[2],
    ].join(".");
    const { data, error } = await newClient(server).auth.getClaims(foreign);
    expect(data).toBeNull();
    expect(error?.message).toBe("Invalid JWT signature");
  });
});

test("an error has the code and the text that auth-js reads", async ({ server }) => {
  const { status, headers, json } = await send(server, "GET", "/user");
  expect([status, headers.get("x-supabase-api-version")]).toEqual([401, "2024-01-01"]);
  const message = "This endpoint requires a valid Bearer token";
  expect(json).toEqual({ code: "no_authorization", message });
});

test("calls of different accounts at once never see each other's rights", async ({ server }) => {
  const owner = await signUp(server);
  const stranger = await signUp(server);
  await withSuperuser(
    server.dataDir,
    (sql) => sql`insert into private.site_owner (user_id) values (${owner.user.id})`,
  );
  const state = async ({ client }: typeof owner) => {
    const { data, status } = await client.rpc("inbox_state");
    return [status, data?.owner, data?.may_read];
  };
  for (let round = 0; round < 100; round += 1) {
    const seen = await Promise.all([
      state(owner),
      state(stranger),
      newClient(server).rpc("inbox_state"),
      state(owner),
    ]);
    expect(seen).toEqual([
      [200, "me", true],
      [200, "other", false],
      expect.objectContaining({ status: 401, data: null }),
      [200, "me", true],
    ]);
  }
});

test("an expired token is 401 PGRST303", async ({ server }) => {
  const exp = Math.floor(Date.now() / 1000) - 1;
  const keys = await loadKeys(server.dataDir);
  const token = await signAccessToken(keys, { role: "authenticated", exp });
  const request = new Request(`${server.url}/rest/v1/rpc/inbox_state`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: "{}",
  });
  const answer = await server.embedded.fetch(request, { address: "192.0.2.3" });
  expect([answer.status, await answer.json()]).toEqual([
    401,
    expect.objectContaining({ code: "PGRST303", message: "JWT expired" }),
  ]);
});

test("a token that was accepted expires", async ({ server }) => {
  const keys = await loadKeys(server.dataDir);
  const token = await signAccessToken(keys, { role: "authenticated", exp: 1000 });
  const isAccepted = async (second: number) =>
    (await verifyAccessToken(keys, token, second * 1000)).ok;
  expect(await isAccepted(999)).toBe(true);
  expect(await isAccepted(1000)).toBe(false);
  expect(await isAccepted(999)).toBe(true);
});

test("a banned account is refused in GoTrue's words", async ({ server }) => {
  const { email, session } = await signUp(server);
  const { access_token: token, refresh_token: refresh } = session;
  await withSuperuser(
    server.dataDir,
    (sql) =>
      sql`update auth.users set banned_until = now() + interval '1 year' where email = ${email}`,
  );
  const grant = (type: string, body: object) =>
    send(server, "POST", `/token?grant_type=${type}`, { body });
  const banned = { code: "user_banned", message: "User is banned" };
  const signedIn = await grant("password", { email, password });
  expect(signedIn).toMatchObject({ status: 400, json: banned });
  expect(await send(server, "GET", "/user", { token })).toMatchObject({
    status: 403,
    json: banned,
  });
  const refreshed = await grant("refresh_token", { refresh_token: refresh });
  const message = "Invalid Refresh Token: User Banned";
  expect(refreshed).toMatchObject({ status: 400, json: { ...banned, message } });
});
