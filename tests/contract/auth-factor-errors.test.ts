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
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";

describe("errors of factors", () => {
  test("in enrolment", async ({ server }) => {
    const { client, session } = await signUp(server);
    const token = session.access_token;
    expect(
      await send(server, "POST", "/factors", { token, body: { factor_type: "sms" } }),
    ).toMatchObject({
      status: 400,
      json: { error_code: "validation_failed" },
    });
    await enrol(client, "same");
    await enrol(client);
    const conflict = { status: 422, code: "mfa_factor_name_conflict" };
    for (const friendlyName of ["same", ""]) {
      const { error } = await client.auth.mfa.enroll({ factorType: "totp", friendlyName });
      expect(error).toMatchObject(conflict);
    }
    for (let count = 2; count < 10; count += 1) {
      await enrol(client, `number ${count}`);
    }
    expect(
      (await client.auth.mfa.enroll({ factorType: "totp", friendlyName: "one more" })).error,
    ).toMatchObject({
      status: 422,
      code: "too_many_enrolled_mfa_factors",
    });
    server.pass(301);
    expect((await client.auth.refreshSession()).error).toBeNull();
    await enrol(client, "after the abandoned ones went");
    expect((await client.auth.mfa.listFactors()).data?.all).toHaveLength(1);
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
    expect((await weak.auth.updateUser({ data: { fine: true } })).error).toBeNull();
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
    ).toMatchObject({ status: 404, json: { error_code: "validation_failed" } });

    const strangers = await challenge(stranger.client, foreign.id);
    const code = codeOf(server, own.totp.secret);
    for (const challengeId of [unknown, strangers.id]) {
      const { error } = await auth.mfa.verify({ factorId: own.id, challengeId, code });
      expect(error).toMatchObject({ status: 422, code: "mfa_factor_not_found" });
    }
  });

  test("with codes and challenges", async ({ server }) => {
    const { client, session } = await signUp(server);
    const { auth } = client;
    const factor = await enrol(client);
    const factorId = factor.id;
    const open = await challenge(client, factorId);
    const answer = (code: string, challengeId = open.id) =>
      auth.mfa.verify({ factorId, challengeId, code });
    expect((await answer("")).error).toMatchObject({ status: 400, code: "validation_failed" });
    const right = codeOf(server, factor.totp.secret);
    const wrong = String((Number(right) + 500_000) % 1_000_000).padStart(6, "0");
    for (const code of [wrong, "12345", "abcdef", "١٢٣٤٥٦"]) {
      expect((await answer(code)).error).toMatchObject({
        status: 422,
        code: "mfa_verification_failed",
        message: expect.stringContaining("Invalid TOTP code") as string,
      });
    }

    const elsewhere = await server.embedded.fetch(
      new Request(`${server.url}/auth/v1/factors/${factorId}/verify`, {
        method: "POST",
        headers: { authorization: `Bearer ${session.access_token}` },
        body: JSON.stringify({ challenge_id: open.id, code: right }),
      }),
      { address: "192.0.2.7" },
    );
    expect(elsewhere.status).toBe(422);
    expect(await elsewhere.json()).toMatchObject({ error_code: "mfa_ip_address_mismatch" });

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
    expect((await answer(late, old.id)).error).toMatchObject({ code: "mfa_factor_not_found" });
  });

  test("when the session is gone", async ({ server }) => {
    const { client, session } = await signUp(server);
    await send(server, "POST", "/logout?scope=local", { token: session.access_token });
    const { error } = await client.auth.mfa.enroll({ factorType: "totp" });
    expect(error).toMatchObject({ name: "AuthSessionMissingError" });
  });

  test("when factors are switched off", async () => {
    const on = await startAuthServer();
    const { client, session } = await signUp(on);
    const { id } = await enrol(client);
    await on.embedded.close();
    const off = await startTestServer({
      dataDir: on.dataDir,
      auth: { totpEnrolEnabled: false, totpVerifyEnabled: false },
    });
    try {
      const ask = async (path: string, body: object) => {
        const answer = await send(off, "POST", path, { token: session.access_token, body });
        return [answer.status, answer.json?.["error_code"]];
      };
      const verifyOff = [422, "mfa_totp_verify_not_enabled"];
      expect(await ask("/factors", { factor_type: "totp" })).toEqual([
        422,
        "mfa_totp_enroll_not_enabled",
      ]);
      expect(await ask(`/factors/${id}/challenge`, {})).toEqual(verifyOff);
      const answer = { challenge_id: crypto.randomUUID(), code: "000000" };
      expect(await ask(`/factors/${id}/verify`, answer)).toEqual(verifyOff);
    } finally {
      await off.close();
      await on.close();
    }
  });
});
