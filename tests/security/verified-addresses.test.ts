import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type AuthServer,
  type Client,
  enrolVerified,
  mailNumber,
  newClient,
  newEmail,
  password,
  present,
  send,
  signIn,
  startAuthServer,
} from "#tests/support/auth-server.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server?.close());

async function signUpAs(email: string, data: object = {}): Promise<Client> {
  const client = newClient(server);
  const { error } = await client.auth.signUp({ email, password, options: { data } });
  expect(error).toBeNull();
  return client;
}

/** Whether the client's session is over. */
const isOut = async (client: Client) => (await client.auth.getUser()).error !== null;

/** Follows the recovery link of the account's mail with that number. */
async function recover(email: string, count: number, token?: string) {
  await newClient(server).auth.resetPasswordForEmail(email);
  const { tokenHash } = await mailNumber(server, email, count);
  return send(server, "POST", "/verify", {
    body: { token_hash: tokenHash, type: "recovery" },
    ...(token && { token }),
  });
}

describe("an account whose holder reads its mail", () => {
  test("keeps its second factor when it is recovered", async () => {
    const email = newEmail();
    const client = await signUpAs(email, { name: "نورة" });
    const { factorId, verified } = await enrolVerified(server, client);
    // Its own session beside the mail shows it.
    const first = await recover(email, 1, verified.access_token);
    const kept = {
      user: {
        user_metadata: { name: "نورة" },
        factors: [{ id: factorId }],
        identities: [{ identity_data: { email_verified: true } }],
      },
    };
    expect(first.json).toMatchObject(kept);
    expect((await recover(email, 2)).json).toMatchObject(kept);
    expect(await isOut(client)).toBe(false);
    await signIn(server, email);
  });

  test("is one that used the code of a reauthentication mail, too", async () => {
    const email = newEmail();
    const client = await signUpAs(email);
    server.pass(25 * 3600);
    await client.auth.refreshSession();
    await client.auth.reauthenticate();
    const { code: nonce } = await mailNumber(server, email, 1);
    const attributes = { password: "a new secret", current_password: password, nonce };
    expect((await client.auth.updateUser(attributes)).error).toBeNull();
    expect((await recover(email, 2)).status).toBe(200);
    await signIn(server, email, "a new secret");
  });

  test("is not one that has the password alone", async () => {
    const email = newEmail();
    const client = await signUpAs(email);
    await enrolVerified(server, client);
    const { session } = await signIn(server, email);
    const { json } = await recover(email, 1, session.access_token);
    expect(json?.["user"]).not.toHaveProperty("factors");
    expect(await isOut(client)).toBe(true);
  });
});

describe("where addresses are confirmed", () => {
  let strict: AuthServer;
  beforeAll(async () => {
    strict = await startAuthServer({ confirmEmail: true });
  });
  afterAll(() => strict?.close());

  test.each(["recovery", "magiclink"] as const)(
    "a stranger's sign-up leaves nothing behind after the owner's own mail: %s",
    async (type) => {
      const email = newEmail();
      const data = { name: "the stranger" };
      await newClient(strict).auth.signUp({ email, password, options: { data } });
      await mailNumber(strict, email, 1);
      const { auth } = newClient(strict);
      const asked =
        type === "recovery"
          ? await auth.resetPasswordForEmail(email)
          : await auth.signInWithOtp({ email });
      expect(asked.error).toBeNull();
      const { tokenHash } = await mailNumber(strict, email, 2);
      const verified = await auth.verifyOtp({ token_hash: tokenHash, type });
      expect(present(verified.data).user.user_metadata).not.toHaveProperty("name");
      await expect(signIn(strict, email)).rejects.toMatchObject({ code: "invalid_credentials" });
    },
  );

  test("of two sign-ups that disagree neither leaves its metadata", async () => {
    const email = newEmail();
    for (const [secret, name] of [
      ["the stranger's", "the stranger"],
      ["the owner's", "the owner"],
    ] as const) {
      const options = { data: { name } };
      await newClient(strict).auth.signUp({ email, password: secret, options });
    }
    const { tokenHash } = await mailNumber(strict, email, 2);
    const { data } = await newClient(strict).auth.verifyOtp({
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
