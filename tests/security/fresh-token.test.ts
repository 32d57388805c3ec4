import { describe, expect } from "vitest";
import {
  codeOf,
  enrolVerified,
  mailNumber,
  newEmail,
  password,
  send,
  signIn,
  signUp,
} from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import { mailsTo } from "#tests/support/mails.ts";

const needed = { status: 400, json: { code: "reauthentication_needed" } };

describe("a token that leaks right after the sign-in", () => {
  const factorBody = { factor_type: "totp", friendly_name: "the thief's" };

  test("changes no address and enrols no factor", async ({ server }) => {
    const { session } = await signUp(server);
    const token = session.access_token;
    const email = newEmail();
    expect(await send(server, "PUT", "/user", { token, body: { email } })).toMatchObject(needed);
    expect(await send(server, "POST", "/factors", { token, body: factorBody })).toMatchObject(
      needed,
    );
    expect(await mailsTo(server, email)).toEqual([]);
  });

  test("of a session with the second factor removes it not, and renews no recovery code", async ({
    server,
  }) => {
    const { email, client: first } = await signUp(server);
    const { factorId, secret } = await enrolVerified(server, first);
    expect((await first.rpc("renew_recovery_codes")).data).toHaveLength(10);
    server.pass(60);
    const { client } = await signIn(server, email);
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(server, secret) });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toMatchObject(needed.json);
    expect((await client.auth.updateUser({ email: newEmail() })).error).toMatchObject(needed.json);
    expect(await client.rpc("renew_recovery_codes")).toMatchObject({
      status: 403,
      error: { details: "reauthentication_needed" },
    });
    server.pass(60);
    // The owner gives another code.
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(server, secret) });
    expect((await client.rpc("renew_recovery_codes")).data).toHaveLength(10);
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  });
});

test("the present address is told of every such change", async ({ server }) => {
  const { email, client } = await signUp(server);
  const told = async (count: number) => {
    await expect.poll(() => mailsTo(server, email)).toHaveLength(count);
    const mails = await mailsTo(server, email);
    return mails.map(({ file }) => /-([a-z_]+)-/.exec(file)?.[1]);
  };
  const { factorId } = await enrolVerified(server, client);
  expect(await told(1)).toEqual(["factor_added"]);
  await client.rpc("renew_recovery_codes");
  expect((await told(2)).at(-1)).toBe("codes_renewed");
  await client.auth.mfa.unenroll({ factorId });
  expect((await told(3)).at(-1)).toBe("factor_removed");
  await client.auth.updateUser({ password: "another one", current_password: password });
  expect((await told(4)).at(-1)).toBe("password_changed");
  const wanted = newEmail();
  await client.auth.updateUser({ email: wanted });
  expect((await told(5)).at(-1)).toBe("email_requested");
  const { tokenHash } = await mailNumber(server, wanted, 1);
  const body = { token_hash: tokenHash, type: "email_change" };
  expect((await send(server, "POST", "/verify", { body })).status).toBe(200);
  expect((await told(6)).at(-1)).toBe("email_changed");
});
