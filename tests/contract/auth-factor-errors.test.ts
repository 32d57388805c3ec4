import { describe, expect } from "vitest";
import {
  challenge,
  codeOf,
  enrol,
  enrolVerified,
  password,
  send,
  signIn,
  signUp,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";

describe("errors of factors", () => {
  test("in enrolment", async ({ server }) => {
    const { client } = await signUp(server);
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

  test("insufficient_aal has three statuses", async ({ server }) => {
    const { client, email } = await signUp(server);
    const { factorId } = await enrolVerified(server, client);
    const { client: weak } = await signIn(server, email);
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

  test("with ids", async ({ server }) => {
    const { client, session } = await signUp(server);
    const stranger = await signUp(server);
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
      await send(server, "POST", "/factors/none/challenge", {
        token: session.access_token,
        body: {},
      }),
    ).toMatchObject({ status: 404, json: { code: "validation_failed" } });

    const strangers = await challenge(stranger.client, foreign.id);
    const code = codeOf(server, own.totp.secret);
    for (const challengeId of [unknown, strangers.id]) {
      const { error } = await auth.mfa.verify({ factorId: own.id, challengeId, code });
      expect(error).toMatchObject({ status: 422, code: "mfa_factor_not_found" });
    }
  });

  test("with codes and challenges", async ({ server }) => {
    const { client } = await signUp(server);
    const { auth } = client;
    const factor = await enrol(client);
    const factorId = factor.id;
    const open = await challenge(client, factorId);
    const answer = (code: string, challengeId = open.id) =>
      auth.mfa.verify({ factorId, challengeId, code });
    const right = codeOf(server, factor.totp.secret);
    const wrong = String((Number(right) + 500_000) % 1_000_000).padStart(6, "0");
    for (const code of ["", wrong, "12345", "abcdef", "١٢٣٤٥٦"]) {
      expect((await answer(code)).error).toMatchObject({
        status: 422,
        code: "mfa_verification_failed",
        message: expect.stringContaining("Invalid TOTP code") as string,
      });
    }

    expect((await answer(right)).error).toBeNull();
    expect((await answer(right)).error).toMatchObject({
      status: 422,
      code: "mfa_ip_address_mismatch",
    });

    const old = await challenge(client, factorId);
    server.pass(301);
    const late = codeOf(server, factor.totp.secret);
    expect((await answer(late, old.id)).error).toMatchObject({
      status: 422,
      code: "mfa_challenge_expired",
    });
  });
});
