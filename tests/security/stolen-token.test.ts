import { describe, expect } from "vitest";
import {
  type AuthServer,
  codeOf,
  enrolVerified,
  mailNumber,
  newClient,
  newEmail,
  password,
  present,
  send,
  signIn,
  signUp,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

const elevenMinutes = 660;
const needed = { status: 400, json: { code: "reauthentication_needed" } };

/** An account whose last authentication is eleven minutes old, and its renewed access token. */
async function stolen(server: AuthServer, hasFactor = false) {
  const account = await signUp(server);
  const { auth } = account.client;
  const factor = hasFactor ? await enrolVerified(server, account.client) : undefined;
  server.pass(elevenMinutes);
  const { data, error } = await auth.refreshSession();
  if (error) {
    throw error;
  }
  return { ...account, factor, token: present(data).session.access_token };
}

describe("an access token alone", () => {
  test("cannot change the password: the current one is required", async ({ server }) => {
    const { token, email } = await stolen(server);
    const put = (body: object) => send(server, "PUT", "/user", { token, body });
    expect(await put({ password: "the thief's own" })).toMatchObject({
      status: 400,
      json: { code: "current_password_required" },
    });
    expect(await put({ password: "the thief's own", current_password: "a guess" })).toMatchObject({
      status: 400,
      json: { code: "current_password_invalid" },
    });
    await signIn(server, email);
  });

  test("cannot change the password of a session that began with a mail a while ago", async ({
    server,
  }) => {
    const { email } = await stolen(server);
    const { auth } = newClient(server);
    await auth.resetPasswordForEmail(email);
    const { tokenHash } = await mailNumber(server, email, 1);
    const verified = await auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    const token = present(verified.data).session.access_token;
    // After a takeover the account has no password that could be required.
    const put = () =>
      send(server, "PUT", "/user", { token, body: { password: "by the mail alone" } });
    server.pass(elevenMinutes);
    expect(await put()).toMatchObject(needed);
    server.pass(-elevenMinutes);
    expect((await put()).status).toBe(200);
    server.pass(elevenMinutes);
    const body = { password: "and once more" };
    expect(await send(server, "PUT", "/user", { token, body })).toMatchObject({
      status: 400,
      json: { code: "current_password_required" },
    });
  });

  test("does not become recent by a refresh or by another session's authentication", async ({
    server,
  }) => {
    const { token, email, client } = await stolen(server);
    await signIn(server, email);
    await client.auth.refreshSession();
    const body = { factor_type: "totp" };
    expect(await send(server, "POST", "/factors", { token, body })).toMatchObject(needed);
  });
});

describe("the session's owner", () => {
  const body = { factor_type: "totp", friendly_name: "second" };

  test("can authenticate again with a code", async ({ server }) => {
    const { client, factor, token } = await stolen(server, true);
    const { factorId = "", secret = "" } = factor ?? {};
    const code = codeOf(server, secret);
    expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    expect((await send(server, "POST", "/factors", { token, body })).status).toBe(200);
    expect((await client.auth.updateUser({ email: newEmail() })).error).toBeNull();
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  });

  test("can authenticate again by a sign-in with the session's token, and keeps its level", async ({
    server,
  }) => {
    const { client, token, email, factor } = await stolen(server, true);
    const path = "/token?grant_type=password";
    const proof = await send(server, "POST", path, { token, body: { email, password } });
    expect(proof.status).toBe(200);
    expect((await send(server, "POST", "/factors", { token, body })).status).toBe(200);
    await client.auth.refreshSession();
    const { data } = await client.auth.getClaims();
    expect(data?.claims).toMatchObject({
      aal: "aal2",
      amr: [{ method: "password" }, { method: "totp" }],
    });
    expect((await client.auth.mfa.unenroll({ factorId: factor?.factorId ?? "" })).error).toBeNull();
  });

  test("cannot do so with a wrong password, another account or an ended session's token", async ({
    server,
  }) => {
    const { token, email, client } = await stolen(server);
    const other = await signUp(server);
    const path = "/token?grant_type=password";
    const attempt = (credentials: object) =>
      send(server, "POST", path, { token, body: credentials });
    expect((await attempt({ email, password: "wrong one" })).status).toBe(400);
    expect((await attempt({ email: other.email, password })).status).toBe(200);
    expect(await send(server, "POST", "/factors", { token, body })).toMatchObject(needed);
    await client.auth.signOut({ scope: "local" });
    expect((await attempt({ email, password })).status).toBe(200);
    expect((await send(server, "POST", "/factors", { token, body })).status).toBe(403);
  });
});

test("a token without the second factor cannot end other sessions", async ({ server }) => {
  const { client, email } = await stolen(server, true);
  const weak = await signIn(server, email);
  const token = weak.session.access_token;
  expect(await send(server, "POST", "/logout?scope=others", { token })).toMatchObject({
    status: 422,
    json: { code: "insufficient_aal" },
  });
  expect((await client.auth.getUser()).error).toBeNull();
  expect((await send(server, "POST", "/logout?scope=local", { token })).status).toBe(204);
  expect((await weak.client.auth.getUser()).error).not.toBeNull();
  expect((await client.auth.signOut({ scope: "others" })).error).toBeNull();
});
