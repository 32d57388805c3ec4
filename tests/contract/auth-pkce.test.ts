import { describe, expect } from "vitest";
import {
  type AuthServer,
  mailNumber,
  newClient,
  password,
  present,
  send,
  signIn,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

/** The redirect of GET /verify, which the default mails of hosted Supabase link to. */
async function openLink(server: AuthServer, tokenHash: string, type: string, redirectTo: string) {
  const query = new URLSearchParams({ token: tokenHash, type, redirect_to: redirectTo });
  const answer = await send(server, "GET", `/verify?${query}`);
  return { status: answer.status, target: new URL(answer.headers.get("location") ?? "") };
}

describe("PKCE", () => {
  test("exchanges a link's code for a session, once, and only with the verifier", async ({
    server,
  }) => {
    const { email } = await signUp(server);
    const { auth } = newClient(server, "pkce");
    await auth.resetPasswordForEmail(email);
    const { tokenHash } = await mailNumber(server, email, 1);
    expect(tokenHash).toMatch(/^pkce_/);
    const { status, target } = await openLink(
      server,
      tokenHash,
      "recovery",
      `${server.url}/account`,
    );
    expect(status).toBe(303);
    expect(target.origin + target.pathname).toBe(`${server.url}/account`);
    expect(target.hash).toBe("");
    const code = target.searchParams.get("code") ?? "";

    const exchange = (code_verifier: string) =>
      send(server, "POST", "/token?grant_type=pkce", { body: { auth_code: code, code_verifier } });
    expect(await exchange("x".repeat(56))).toMatchObject({
      status: 400,
      json: { error_code: "bad_code_verifier" },
    });
    const { data, error } = await auth.exchangeCodeForSession(code);
    expect(error).toBeNull();
    expect(present(data).user.email).toBe(email);
    expect((await auth.getClaims()).data?.claims.amr).toMatchObject([{ method: "recovery" }]);
    expect(await exchange("x".repeat(56))).toMatchObject({
      status: 404,
      json: { error_code: "flow_state_not_found" },
    });
  });

  test("expires a code after five minutes", async ({ server }) => {
    const { email } = await signUp(server);
    const { auth } = newClient(server, "pkce");
    await auth.signInWithOtp({ email });
    const { tokenHash } = await mailNumber(server, email, 1);
    const { target } = await openLink(server, tokenHash, "magiclink", server.url);
    server.pass(301);
    const { error } = await auth.exchangeCodeForSession(target.searchParams.get("code") ?? "");
    expect(error).toMatchObject({ status: 422, code: "flow_state_expired" });
  });

  test("also works with the token of our own mail, sent by POST", async ({ server }) => {
    const { email } = await signUp(server);
    const { auth } = newClient(server, "pkce");
    await auth.signInWithOtp({ email });
    const { tokenHash } = await mailNumber(server, email, 1);
    expect((await auth.verifyOtp({ token_hash: tokenHash, type: "email" })).error).toBeNull();
  });

  test("refuses challenges that RFC 7636 does not define", async ({ server }) => {
    const { email } = await signUp(server);
    const ask = (code_challenge: string, code_challenge_method: string) =>
      send(server, "POST", "/recover", { body: { email, code_challenge, code_challenge_method } });
    const good = "a".repeat(43);
    for (const [challenge, method] of [
      [good, ""],
      ["", "s256"],
      ["short", "s256"],
      [good, "md5"],
      [`${good}/`, "plain"],
    ] as const) {
      expect(await ask(challenge, method)).toMatchObject({
        status: 400,
        json: { error_code: "validation_failed" },
      });
    }
    expect((await ask(good, "plain")).status).toBe(200);
  });
});

describe("GET /verify", () => {
  test("redirects with the session in the fragment", async ({ server }) => {
    const { email } = await signUp(server);
    const { auth } = newClient(server);
    await auth.signInWithOtp({ email });
    const { tokenHash } = await mailNumber(server, email, 1);
    const { status, target } = await openLink(server, tokenHash, "magiclink", `${server.url}/`);
    expect(status).toBe(303);
    const fields = new URLSearchParams(target.hash.slice(1));
    expect(fields.get("type")).toBe("magiclink");
    expect(fields.has("user")).toBe(false);
    const { data } = await auth.getUser(fields.get("access_token") ?? "");
    expect(data.user?.email).toBe(email);
  });

  test("redirects to the site instead of a foreign target, with the error in the fragment", async ({
    server,
  }) => {
    for (const foreign of [
      "https://evil.example/",
      "//evil.example",
      `http://${new URL(server.url).host}@evil.example`,
      "javascript:alert(1)",
    ]) {
      const { status, target } = await openLink(server, "unknown", "signup", foreign);
      expect(status).toBe(303);
      expect(target.origin).toBe(server.url);
      expect(new URLSearchParams(target.hash.slice(1)).get("error_code")).toBe("otp_expired");
    }
  });
});

describe("reauthentication", () => {
  test("requires a code in a session older than a day, if the settings say so", async () => {
    const strict = await startAuthServer();
    try {
      const { client, email, session } = await signUp(strict);
      const fresh = { password: "while it is fresh", current_password: password };
      expect((await client.auth.updateUser(fresh)).error).toBeNull();
      strict.pass(25 * 3600);
      await client.auth.refreshSession(session);
      const later = { password: "later one", current_password: fresh.password };
      expect((await client.auth.updateUser(later)).error).toMatchObject({
        status: 400,
        code: "reauthentication_needed",
      });
      expect((await client.auth.reauthenticate()).error).toBeNull();
      const { code: nonce, link } = await mailNumber(strict, email, 1);
      expect(link).toBeUndefined();
      const wrong = String((Number(nonce) + 1) % 1_000_000).padStart(6, "0");
      expect((await client.auth.updateUser({ ...later, nonce: wrong })).error).toMatchObject({
        status: 422,
        code: "reauthentication_not_valid",
      });
      expect((await client.auth.updateUser({ ...later, nonce })).error).toBeNull();
      await signIn(strict, email, "later one");
    } finally {
      await strict.close();
    }
  });

  test("requires the current password if the settings ask for no code", async () => {
    const strict = await startAuthServer({ requireReauthentication: false });
    try {
      const { email, session } = await signUp(strict);
      const put = (current_password?: string) =>
        send(strict, "PUT", "/user", {
          token: session.access_token,
          body: { password: "a new secret", current_password },
        });
      expect(await put()).toMatchObject({
        status: 400,
        json: { error_code: "current_password_required" },
      });
      expect(await put("wrong one")).toMatchObject({
        json: { error_code: "current_password_invalid" },
      });
      expect((await put("correct horse")).status).toBe(200);
      const { auth } = newClient(strict);
      await auth.resetPasswordForEmail(email);
      const { tokenHash } = await mailNumber(strict, email, 1);
      await auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
      expect((await auth.updateUser({ password: "forgotten and new" })).error).toBeNull();
    } finally {
      await strict.close();
    }
  });
});
