import { describe, expect } from "vitest";
import { newClient, newEmail, password, signUp } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

describe("sign-up with confirmation off", () => {
  test("answers with a session and a confirmed user", async ({ server }) => {
    const client = newClient(server);
    const { data, error } = await client.auth.signUp({
      email: "Nora@Example.com",
      password,
    });
    expect(error).toBeNull();
    expect(data.session).toMatchObject({ token_type: "bearer", expires_in: 3600 });
    expect(data.user).toMatchObject({
      aud: "authenticated",
      role: "authenticated",
      email: "nora@example.com",
      phone: "",
      app_metadata: { provider: "email", providers: ["email"] },
      user_metadata: { email: "nora@example.com", email_verified: true },
      is_anonymous: false,
      identities: [
        { provider: "email", user_id: data.user?.id, identity_data: { sub: data.user?.id } },
      ],
    });
    expect(data.user).not.toHaveProperty("factors");
    expect(JSON.stringify(data.user)).not.toContain("argon2");
  });

  test("says that an address is taken", async ({ server }) => {
    const { email } = await signUp(server);
    const { data, error } = await newClient(server).auth.signUp({
      email: email.toUpperCase(),
      password,
    });
    expect(data).toEqual({ user: null, session: null });
    expect(error).toMatchObject({
      status: 422,
      code: "user_already_exists",
      message: "User already registered",
    });
  });

  test("gives the address to one of two simultaneous sign-ups", async ({ server }) => {
    const email = newEmail();
    const both = await Promise.all(
      [1, 2].map(() => newClient(server).auth.signUp({ email, password })),
    );
    expect(both.map(({ error }) => error?.code ?? "ok").toSorted()).toEqual([
      "ok",
      "user_already_exists",
    ]);
  });

  test("refuses overlong passwords and invalid addresses", async ({ server }) => {
    const { auth } = newClient(server);
    const long = await auth.signUp({ email: newEmail(), password: "x".repeat(73) });
    expect(long.error).toMatchObject({ status: 400, code: "validation_failed" });
    // 72 and 74 bytes.
    const arabic = await auth.signUp({ email: newEmail(), password: "م".repeat(36) });
    expect(arabic.error).toBeNull();
    const longArabic = await auth.signUp({ email: newEmail(), password: "م".repeat(37) });
    expect(longArabic.error).toMatchObject({
      status: 400,
      code: "validation_failed",
      message: "Password cannot be longer than 72 characters",
    });
    for (const email of [
      "nobody",
      "a@b",
      "a b@example.com",
      `${"a".repeat(250)}@example.com`,
      "أ@example.com",
      "per\u200Bson@example.com",
      // In lower case it begins with k.
      "\u212Aate@example.com",
    ]) {
      expect((await auth.signUp({ email, password })).error).toMatchObject({
        code: "validation_failed",
      });
    }
  });
});
