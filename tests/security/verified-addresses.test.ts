import { describe, expect } from "vitest";
import { isSignedOut, signUpAs } from "#tests/support/auth-accounts.ts";
import {
  type AuthServer,
  enrolVerified,
  mailNumber,
  newClient,
  newEmail,
  send,
  signIn,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

/** Follows the recovery link of the account's mail with that number. */
async function recover(server: AuthServer, email: string, count: number, token?: string) {
  await newClient(server).auth.resetPasswordForEmail(email);
  const { tokenHash } = await mailNumber(server, email, count);
  return send(server, "POST", "/verify", {
    body: { token_hash: tokenHash, type: "recovery" },
    ...(token && { token }),
  });
}

describe("an account whose holder reads its mail", () => {
  test("keeps its second factor when it is recovered", async ({ server }) => {
    const email = newEmail();
    const client = await signUpAs(server, email);
    const { factorId, verified } = await enrolVerified(server, client);
    // A session of its own together with the mail proves it.
    const first = await recover(server, email, 1, verified.access_token);
    const kept = {
      user: {
        factors: [{ id: factorId }],
        identities: [{ identity_data: { email_verified: true } }],
      },
    };
    expect(first.json).toMatchObject(kept);
    expect((await recover(server, email, 2)).json).toMatchObject(kept);
    expect(await isSignedOut(client)).toBe(false);
    await signIn(server, email);
  });

  test("is not recognised by the password alone", async ({ server }) => {
    const email = newEmail();
    const client = await signUpAs(server, email);
    await enrolVerified(server, client);
    const { session } = await signIn(server, email);
    const { json } = await recover(server, email, 1, session.access_token);
    expect(json?.["user"]).not.toHaveProperty("factors");
    expect(await isSignedOut(client)).toBe(true);
  });
});
