import { afterAll, beforeAll, describe, expect, it } from "vitest";

import {
  mailNumber,
  mailsTo,
  newClient,
  newEmail,
  password,
  present,
  signIn,
  signUp,
  startAuthServer,
} from "./auth-support.ts";
import type { AuthServer } from "./auth-support.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer({ redirectAllowList: ["https://app.example.com/welcome"] });
});
afterAll(() => server.close());

const expired = { status: 403, code: "otp_expired" };

describe("recovery", () => {
  it("by the link's token: once, and it may set a new password", async () => {
    const { email } = await signUp(server);
    const { auth } = newClient(server);
    expect(await auth.resetPasswordForEmail(email)).toEqual({ data: {}, error: null });
    const mail = await mailNumber(server, email, 1);
    expect(mail.file).toContain("recovery");
    expect(mail.link?.origin).toBe(server.url);
    expect(mail.link?.searchParams.get("type")).toBe("recovery");

    const verified = await auth.verifyOtp({ token_hash: mail.tokenHash, type: "recovery" });
    expect(present(verified.data).user.email).toBe(email);
    expect((await auth.getClaims()).data?.claims).toMatchObject({
      aal: "aal1",
      amr: [{ method: "otp" }],
    });
    expect((await auth.updateUser({ password: "recovered one" })).error).toBeNull();
    await signIn(server, email, "recovered one");
    const again = await newClient(server).auth.verifyOtp({
      token_hash: mail.tokenHash,
      type: "recovery",
    });
    expect(again.error).toMatchObject(expired);
  });

  it("by the code, in the right case only", async () => {
    const { email } = await signUp(server);
    const other = await signUp(server);
    const { auth } = newClient(server);
    await auth.resetPasswordForEmail(email.toUpperCase());
    const { code } = await mailNumber(server, email, 1);
    expect(
      (await auth.verifyOtp({ email: other.email, token: code, type: "recovery" })).error,
    ).toMatchObject(expired);
    expect((await auth.verifyOtp({ email, token: code, type: "signup" })).error).toMatchObject(
      expired,
    );
    expect(
      (await auth.verifyOtp({ email: email.toUpperCase(), token: code, type: "recovery" })).error,
    ).toBeNull();
    expect((await auth.verifyOtp({ email, token: code, type: "recovery" })).error).toMatchObject(
      expired,
    );
  });

  it("answers an unknown address like a known one, and writes to nobody", async () => {
    const email = newEmail();
    expect(await newClient(server).auth.resetPasswordForEmail(email)).toEqual({
      data: {},
      error: null,
    });
    const known = await signUp(server);
    await newClient(server).auth.resetPasswordForEmail(known.email);
    await mailNumber(server, known.email, 1);
    expect(await mailsTo(server, email)).toEqual([]);
  });

  it("expires after an hour, and a newer mail replaces an older one", async () => {
    const { email } = await signUp(server);
    const { auth } = newClient(server);
    await auth.resetPasswordForEmail(email);
    const first = await mailNumber(server, email, 1);
    await auth.resetPasswordForEmail(email);
    const second = await mailNumber(server, email, 2);
    expect(
      (await auth.verifyOtp({ token_hash: first.tokenHash, type: "recovery" })).error,
    ).toMatchObject(expired);
    server.pass(3601);
    expect(
      (await auth.verifyOtp({ token_hash: second.tokenHash, type: "recovery" })).error,
    ).toMatchObject(expired);
    expect(
      (await auth.verifyOtp({ email, token: second.code, type: "recovery" })).error,
    ).toMatchObject(expired);
  });

  it("locks the code after five wrong tries, but not the link", async () => {
    const { email } = await signUp(server);
    const { auth } = newClient(server);
    await auth.resetPasswordForEmail(email);
    const { code, tokenHash } = await mailNumber(server, email, 1);
    const wrong = String((Number(code) + 1) % 1_000_000).padStart(6, "0");
    const tries = await Promise.all(
      Array.from({ length: 5 }, () => auth.verifyOtp({ email, token: wrong, type: "recovery" })),
    );
    for (const { error } of tries) expect(error).toMatchObject(expired);
    expect((await auth.verifyOtp({ email, token: code, type: "recovery" })).error).toMatchObject(
      expired,
    );
    expect((await auth.verifyOtp({ token_hash: tokenHash, type: "recovery" })).error).toBeNull();
  });

  it("is void once the password changed", async () => {
    const { email, client } = await signUp(server);
    await newClient(server).auth.resetPasswordForEmail(email);
    const { tokenHash } = await mailNumber(server, email, 1);
    await client.auth.updateUser({ password: "changed before" });
    const { error } = await newClient(server).auth.verifyOtp({
      token_hash: tokenHash,
      type: "recovery",
    });
    expect(error).toMatchObject(expired);
  });
});

describe("a sign-in mail", () => {
  it("lets an existing account in by code or link", async () => {
    const { email } = await signUp(server);
    const { auth } = newClient(server);
    const emailRedirectTo = "https://app.example.com/welcome?x=1&y=2";
    const asked = await auth.signInWithOtp({ email, options: { emailRedirectTo } });
    expect(asked.error).toBeNull();
    const first = await mailNumber(server, email, 1);
    expect(first.file).toContain("magic_link");
    expect(first.link?.searchParams.get("next")).toBe(emailRedirectTo);
    expect((await auth.verifyOtp({ email, token: first.code, type: "email" })).error).toBeNull();
    await auth.signInWithOtp({
      email,
      options: { emailRedirectTo: "https://evil.example/welcome" },
    });
    const second = await mailNumber(server, email, 2);
    expect(second.link?.searchParams.get("next")).toBe(server.url);
    expect(
      (await auth.verifyOtp({ token_hash: second.tokenHash, type: "magiclink" })).error,
    ).toBeNull();
  });

  it("makes no account", async () => {
    for (const shouldCreateUser of [true, false]) {
      const { error } = await newClient(server).auth.signInWithOtp({
        email: newEmail(),
        options: { shouldCreateUser },
      });
      expect(error).toMatchObject({ status: 422, code: "otp_disabled" });
    }
  });
});

describe("a new address", () => {
  it("is used once its mail was followed", async () => {
    const { client, email } = await signUp(server);
    const wanted = newEmail();
    const { data, error } = await client.auth.updateUser({ email: wanted });
    expect(error).toBeNull();
    expect(data.user).toMatchObject({ email, new_email: wanted });
    const { code } = await mailNumber(server, wanted, 1);
    expect(await mailsTo(server, email)).toEqual([]);
    await signIn(server, email);
    const verified = await client.auth.verifyOtp({
      email: wanted,
      token: code,
      type: "email_change",
    });
    expect(present(verified.data).user).toMatchObject({
      email: wanted,
      identities: [{ identity_data: { email: wanted, email_verified: true } }],
    });
    expect(verified.data.user).not.toHaveProperty("new_email");
    await signIn(server, wanted);
    await expect(signIn(server, email)).rejects.toMatchObject({ code: "invalid_credentials" });
  });

  it("is mailed again on request", async () => {
    const { client, email } = await signUp(server);
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    await mailNumber(server, wanted, 1);
    expect((await client.auth.resend({ type: "email_change", email })).error).toBeNull();
    const { tokenHash } = await mailNumber(server, wanted, 2);
    expect(
      (await client.auth.verifyOtp({ token_hash: tokenHash, type: "email_change" })).error,
    ).toBeNull();
  });

  it("cannot be another account's, not even one made in between", async () => {
    const { client } = await signUp(server);
    const taken = await signUp(server);
    const refused = { status: 422, code: "email_exists" };
    expect((await client.auth.updateUser({ email: taken.email })).error).toMatchObject(refused);
    const wanted = newEmail();
    await client.auth.updateUser({ email: wanted });
    const { tokenHash } = await mailNumber(server, wanted, 1);
    await newClient(server).auth.signUp({ email: wanted, password });
    const { error } = await client.auth.verifyOtp({ token_hash: tokenHash, type: "email_change" });
    expect(error).toMatchObject(refused);
  });
});
