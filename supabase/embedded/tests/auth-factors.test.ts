import { afterAll, describe, expect, test } from "vitest";
import {
  challenge,
  codeOf,
  enrol,
  enrolVerified,
  newClient,
  password,
  present,
  send,
  signIn,
  signUp,
} from "./support/accounts.ts";
import { startNotes } from "./support/notes-site.ts";

const site = await startNotes();
afterAll(() => site.close());

describe("a verification", () => {
  test("ends the other sessions below aal2, every time, and keeps those at aal2", async () => {
    const first = await signUp(site);
    const bystander = await signIn(site, first.email);
    const { factorId, secret } = await enrolVerified(site, first.client);
    expect((await bystander.client.auth.getUser()).error).toMatchObject({
      name: "AuthSessionMissingError",
    });

    const second = await signIn(site, first.email);
    const third = await signIn(site, first.email);
    site.pass(30);
    const code = codeOf(site, secret);
    expect((await second.client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
    expect((await third.client.auth.getUser()).error).toMatchObject({
      name: "AuthSessionMissingError",
    });
    expect((await first.client.auth.getUser()).error).toBeNull();
  });

  test("removes unverified factors, so that one enrolment wins", async () => {
    const { client } = await signUp(site);
    const left = await enrol(client, "left");
    const { factorId } = await enrolVerified(site, client, "won");
    const { data } = await client.auth.mfa.listFactors();
    expect(data?.all.map(({ id }) => id)).toEqual([factorId]);
    expect((await client.auth.mfa.challenge({ factorId: left.id })).error).toMatchObject({
      status: 404,
    });
  });

  test("prevents the old refresh token from returning aal2, even at once", async () => {
    const { client, session } = await signUp(site);
    await enrolVerified(site, client);
    const { error } = await newClient(site).auth.refreshSession(session);
    expect(error).toMatchObject({ status: 400, code: "refresh_token_already_used" });
  });

  test("accepts a code once, also across challenges, and the codes next to it in time", async () => {
    const { client } = await signUp(site);
    const { factorId, secret } = await enrolVerified(site, client);
    const verify = (code: string) => client.auth.mfa.challengeAndVerify({ factorId, code });
    expect((await verify(codeOf(site, secret))).error).toMatchObject({
      status: 422,
      code: "mfa_verification_failed",
    });
    site.pass(60);
    const early = codeOf(site, secret);
    site.pass(30);
    expect((await verify(early)).error).toBeNull();
    site.pass(60);
    const late = codeOf(site, secret);
    site.pass(61);
    expect((await verify(late)).error).toMatchObject({ code: "mfa_verification_failed" });
  });
});

test("two verifications at the same moment use up one code once", async () => {
  const { client, email } = await signUp(site);
  const { factorId, secret } = await enrolVerified(site, client);
  site.pass(60);
  const sessions = await Promise.all(Array.from({ length: 4 }, () => signIn(site, email)));
  const code = codeOf(site, secret);
  const answers = await Promise.all(
    sessions.map((one) => one.client.auth.mfa.challengeAndVerify({ factorId, code })),
  );
  expect(answers.filter(({ error }) => !error)).toHaveLength(1);
  const winner = answers.find(({ error }) => !error);
  expect(present({ session: winner?.data, user: winner?.data?.user }).user.email).toBe(email);
});

describe("errors of factors", () => {
  test("in enrolment", async () => {
    const { client } = await signUp(site);
    for (let count = 0; count < 10; count += 1) {
      await enrol(client, `number ${count}`);
    }
    expect(
      (await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "one more" })).error,
    ).toMatchObject({
      status: 422,
      code: "too_many_enrolled_mfa_factors",
    });
  });

  test("insufficient_aal has three statuses", async () => {
    const { client, email } = await signUp(site);
    const { factorId } = await enrolVerified(site, client);
    const { client: weak } = await signIn(site, email);
    const code = "insufficient_aal";
    const another = await weak.auth.mfa.enroll({ factorType: "totp", friendlyName: "mine" });
    expect(another.error).toMatchObject({ status: 403, code });
    expect((await weak.auth.mfa.unenroll({ factorId })).error).toMatchObject({ status: 422, code });
    const changed = { status: 401, code };
    expect((await weak.auth.updateUser({ password: "another one" })).error).toMatchObject(changed);
    expect((await weak.auth.updateUser({ email: "x@example.com" })).error).toMatchObject(changed);
    const changes = { password: "another one", current_password: password };
    expect((await client.auth.updateUser(changes)).error).toBeNull();
  });

  test("with ids", async () => {
    const { client, session } = await signUp(site);
    const stranger = await signUp(site);
    const foreign = await enrol(stranger.client);
    const own = await enrol(client);
    const unknown = crypto.randomUUID();
    const { auth } = client;
    const notFound = { status: 404, code: "mfa_factor_not_found" };
    for (const factorId of [unknown, foreign.id]) {
      expect((await auth.mfa.challenge({ factorId })).error).toMatchObject(notFound);
      expect((await auth.mfa.unenroll({ factorId })).error).toMatchObject(notFound);
    }
    expect(
      await send(site, "POST", "/factors/none/challenge", {
        token: session.access_token,
        body: {},
      }),
    ).toMatchObject({ status: 404, json: { code: "validation_failed" } });

    const strangers = await challenge(stranger.client, foreign.id);
    const code = codeOf(site, own.totp.secret);
    for (const challengeId of [unknown, strangers.id]) {
      const { error } = await auth.mfa.verify({ factorId: own.id, challengeId, code });
      expect(error).toMatchObject({ status: 422, code: "mfa_factor_not_found" });
    }
  });

  test("with challenges that were used or are old", async () => {
    const { client } = await signUp(site);
    const { id: factorId, totp } = await enrol(client);
    const answer = async (challengeId: string) => {
      const code = codeOf(site, totp.secret);
      return (await client.auth.mfa.verify({ factorId, challengeId, code })).error;
    };
    const open = await challenge(client, factorId);
    expect(await answer(open.id)).toBeNull();
    expect(await answer(open.id)).toMatchObject({ status: 422, code: "mfa_ip_address_mismatch" });
    const old = await challenge(client, factorId);
    site.pass(301);
    expect(await answer(old.id)).toMatchObject({ status: 422, code: "mfa_challenge_expired" });
  });
});
