import { afterAll, beforeAll, describe, expect, test } from "vitest";
import {
  type Client,
  enrolVerified,
  isSignedOut,
  mailNumber,
  newClient,
  newEmail,
  present,
  send,
  signIn,
  signUp,
  startAuthServer,
  proved,
} from "#tests/support/auth-server.ts";
import { leaveMessage } from "#tests/support/messages.ts";

const server = await startAuthServer();
afterAll(() => server.close());
let earlyCode: string;
beforeAll(async () => {
  earlyCode = await (await server.embedded.callAsSite("new_claim_code", {})).json();
  const message = { name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" };
  await leaveMessage(server, message);
});

/** Reserves the inbox for an address, as SITE_OWNER_EMAIL does. */
async function reserve(): Promise<string> {
  const email = newEmail();
  await server.embedded.callAsSite("reserve_inbox", { address: email });
  return email;
}

async function readsInbox(client: Client): Promise<boolean> {
  const { data } = await client.rpc("read_inbox").throwOnError();
  return (data as { page: unknown[] }).page.length === 1;
}

/** A stranger's account with the reserved address, set up with all that an account can have. */
async function settled() {
  const email = await reserve();
  const { client: stranger } = await signUp(server, email);
  await enrolVerified(server, stranger);
  await (await proved(stranger)).auth.updateUser({ email: newEmail() });
  expect(await readsInbox(stranger)).toBe(false);
  return { email, stranger };
}

test("a claim code from before the reservation makes nobody the owner", async () => {
  await reserve();
  const { client } = await signUp(server);
  expect(earlyCode).toContain("-");
  expect((await client.rpc("claim_inbox", { code: earlyCode })).data).toBe(false);
  expect(await readsInbox(client)).toBe(false);
});

describe("a stranger who signed up first with the address", () => {
  const proofs = {
    "a recovery link": async (email: string, { auth }: Client) => {
      await auth.resetPasswordForEmail(email);
      const { tokenHash } = await mailNumber(server, email, 1);
      return auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    },
    "a one-time code": async (email: string, { auth }: Client) => {
      await auth.signInWithOtp({ email });
      const { code } = await mailNumber(server, email, 1);
      return auth.verifyOtp({ email, token: code, type: "email" });
    },
  };

  test.for(Object.keys(proofs) as (keyof typeof proofs)[])(
    "loses the account and its setup to the address's owner by %s",
    async (proof) => {
      const { email, stranger } = await settled();
      const owner = newClient(server);
      const { data, error } = await proofs[proof](email, owner);
      expect(error).toBeNull();
      const { user } = present(data);
      expect(user).not.toHaveProperty("factors");
      expect(user).not.toHaveProperty("new_email");
      expect(await isSignedOut(stranger)).toBe(true);
      expect((await stranger.auth.refreshSession()).error).not.toBeNull();
      await expect(signIn(server, email)).rejects.toMatchObject({ code: "invalid_credentials" });
      expect(await readsInbox(owner)).toBe(true);

      expect((await owner.auth.updateUser({ password: "the owner's own" })).error).toBeNull();
      await enrolVerified(server, owner);
      expect(await readsInbox(owner)).toBe(true);
    },
  );
});

describe("a stranger who changes to the address", () => {
  test.for([
    { where: "in the owner's browser", isOwn: false },
    { where: "in the stranger's", isOwn: true },
  ])(
    "reads nothing after the owner confirmed it $where, and loses password, factors and sessions",
    async ({ isOwn }) => {
      const email = await reserve();
      const { client: stranger } = await signUp(server);
      await enrolVerified(server, stranger);
      expect((await (await proved(stranger)).auth.updateUser({ email })).error).toBeNull();
      const { tokenHash } = await mailNumber(server, email, 1);
      const { data } = await stranger.auth.getSession();
      const pressed = await send(server, "POST", "/verify", {
        body: { token_hash: tokenHash, type: "email_change" },
        ...(isOwn && { token: data.session?.access_token ?? "" }),
      });
      expect(pressed.json).toMatchObject({ user: { email } });
      expect(await isSignedOut(stranger)).toBe(false);
      expect(await readsInbox(stranger)).toBe(false);
      await stranger.auth.refreshSession();
      expect(await readsInbox(stranger)).toBe(false);
      if (isOwn) {
        return;
      }

      const owner = newClient(server);
      await owner.auth.resetPasswordForEmail(email);
      const mail = await mailNumber(server, email, 2);
      const recovered = await owner.auth.verifyOtp({
        token_hash: mail.tokenHash,
        type: "recovery",
      });
      expect(present(recovered.data).user).not.toHaveProperty("factors");
      expect([await isSignedOut(stranger), await readsInbox(owner)]).toEqual([true, true]);
    },
  );
});

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
    const { client, email } = await signUp(server);
    const { factorId, verified } = await enrolVerified(server, client);
    // A session of its own together with the mail proves it.
    const first = await recover(email, 1, verified.access_token);
    const kept = {
      user: {
        factors: [{ id: factorId }],
        identities: [{ identity_data: { email_verified: true } }],
      },
    };
    expect(first.json).toMatchObject(kept);
    expect((await recover(email, 2)).json).toMatchObject(kept);
    expect(await isSignedOut(client)).toBe(false);
    await signIn(server, email);
  });

  test("is not recognised by the password alone", async () => {
    const { client, email } = await signUp(server);
    await enrolVerified(server, client);
    const { session } = await signIn(server, email);
    const { json } = await recover(email, 1, session.access_token);
    expect(json?.["user"]).not.toHaveProperty("factors");
    expect(await isSignedOut(client)).toBe(true);
  });
});
