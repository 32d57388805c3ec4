import { describe, expect } from "vitest";
import { type AuthServer, send, signIn, signUp } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

const refresh = (server: AuthServer, refresh_token: string | undefined) =>
  send(server, "POST", "/token?grant_type=refresh_token", { body: { refresh_token } });

async function chain(server: AuthServer, length: number) {
  const { session, email } = await signUp(server);
  const tokens = [session.refresh_token];
  for (let step = 0; step < length; step += 1) {
    const { json } = await refresh(server, tokens[step]);
    tokens.push(String(json?.["refresh_token"]));
  }
  return { tokens, session, email };
}

describe("refreshing", () => {
  test("returns the same new token to ten parallel requests with one token", async ({ server }) => {
    const { session } = await signUp(server);
    const answers = await Promise.all(
      Array.from({ length: 10 }, () => refresh(server, session.refresh_token)),
    );
    expect(answers.map(({ status }) => status)).toEqual(Array.from({ length: 10 }, () => 200));
    expect(new Set(answers.map(({ json }) => json?.["refresh_token"])).size).toBe(1);
  });

  test("returns the active token for a token used within the last 10 s", async ({ server }) => {
    const { tokens } = await chain(server, 3);
    server.pass(5);
    expect((await refresh(server, tokens[0])).json).toMatchObject({ refresh_token: tokens[3] });
    expect((await refresh(server, tokens[1])).json).toMatchObject({ refresh_token: tokens[3] });
  });

  test("returns the active token for its parent at any time, for a client that lost the response", async ({
    server,
  }) => {
    const { tokens } = await chain(server, 2);
    server.pass(3600);
    expect((await refresh(server, tokens[1])).json).toMatchObject({ refresh_token: tokens[2] });
    expect((await refresh(server, tokens[2])).status).toBe(200);
  });

  test("ends the session, and no other, when an older token is used later", async ({ server }) => {
    const { tokens, session, email } = await chain(server, 2);
    const other = await signIn(server, email);
    server.pass(11);
    expect(await refresh(server, tokens[0])).toMatchObject({
      status: 400,
      json: {
        code: "refresh_token_already_used",
        message: "Invalid Refresh Token: Already Used",
      },
    });
    expect(await refresh(server, tokens[2])).toMatchObject({
      status: 400,
      json: { code: "refresh_token_not_found" },
    });
    expect(await send(server, "GET", "/user", { token: session.access_token })).toMatchObject({
      status: 403,
      json: { code: "session_not_found" },
    });
    expect((await other.client.auth.refreshSession()).error).toBeNull();
  });

  test("works for the client long after the access token has expired", async ({ server }) => {
    const { client, session } = await signUp(server);
    server.pass(7200);
    expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: "bad_jwt" });
    expect((await client.auth.refreshSession(session)).error).toBeNull();
    expect((await client.auth.getUser()).error).toBeNull();
  });
});
