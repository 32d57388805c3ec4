import { describe, expect } from "vitest";
import {
  mailNumber,
  newClient,
  newEmail,
  password,
  present,
  signIn,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

test.override("authSettings", { confirmEmail: true });

describe("where addresses are confirmed", () => {
  test.for(["recovery", "magiclink"] as const)(
    "a stranger's sign-up leaves nothing behind after the owner's own mail: %s",
    async (type, { server }) => {
      const email = newEmail();
      const data = { name: "the stranger" };
      await newClient(server).auth.signUp({ email, password, options: { data } });
      await mailNumber(server, email, 1);
      const { auth } = newClient(server);
      const asked =
        type === "recovery"
          ? await auth.resetPasswordForEmail(email)
          : await auth.signInWithOtp({ email });
      expect(asked.error).toBeNull();
      const { tokenHash } = await mailNumber(server, email, 2);
      const verified = await auth.verifyOtp({ token_hash: tokenHash, type });
      expect(present(verified.data).user.user_metadata).not.toHaveProperty("name");
      await expect(signIn(server, email)).rejects.toMatchObject({ code: "invalid_credentials" });
    },
  );

  test("two sign-ups that disagree both lose their metadata", async ({ server }) => {
    const email = newEmail();
    for (const [secret, name] of [
      ["the stranger's", "the stranger"],
      ["the owner's", "the owner"],
    ] as const) {
      const options = { data: { name } };
      await newClient(server).auth.signUp({ email, password: secret, options });
    }
    const { tokenHash } = await mailNumber(server, email, 2);
    const { data } = await newClient(server).auth.verifyOtp({
      token_hash: tokenHash,
      type: "signup",
    });
    expect(present(data).user.user_metadata).toEqual({
      sub: data.user?.id,
      email,
      email_verified: true,
      phone_verified: false,
    });
  });
});
