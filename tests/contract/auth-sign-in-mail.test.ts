import { describe, expect } from "vitest";
import { mailNumber, newClient, newEmail, signUp } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

test.override("authSettings", { redirectAllowList: ["https://app.example.com/welcome"] });

describe("a sign-in mail", () => {
  test("signs an existing account in by code or link", async ({ server }) => {
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

  test("creates no account", async ({ server }) => {
    for (const shouldCreateUser of [true, false]) {
      const { error } = await newClient(server).auth.signInWithOtp({
        email: newEmail(),
        options: { shouldCreateUser },
      });
      expect(error).toMatchObject({ status: 422, code: "otp_disabled" });
    }
  });
});
