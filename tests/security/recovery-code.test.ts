import { afterAll, beforeAll, expect, it } from "vitest";

import {
  type AuthServer,
  codeOf,
  enrolVerified,
  signIn,
  signUp,
  startAuthServer,
} from "../contract/auth-support.ts";

let server: AuthServer;
beforeAll(async () => {
  server = await startAuthServer();
});
afterAll(() => server?.close());

async function enrolled() {
  const { client, email } = await signUp(server);
  const { factorId, secret } = await enrolVerified(server, client);
  const { data } = await client.rpc("renew_recovery_codes");
  return { client, email, factorId, secret, code: (data as string[])[0] };
}

it("a recovery code ends every other session, at once also one with the second factor", async () => {
  const { client: owner, email, factorId, secret, code } = await enrolled();
  await owner.from("contact_messages").insert({ name: "زائرة", email, message: "لصاحب الموقع" });
  const { client: thief } = await signIn(server, email);
  server.pass(60);
  const strong = await thief.auth.mfa.challengeAndVerify({
    factorId,
    code: codeOf(server, secret),
  });
  expect(strong.error).toBeNull();
  const seen = async () => (await thief.from("contact_messages").select()).data?.length;
  expect(await seen()).toBe(1);

  const { client: back } = await signIn(server, email);
  expect((await back.rpc("use_recovery_code", { code })).data).toBe(true);
  expect(await seen()).toBe(0);
  expect((await thief.auth.refreshSession()).error).toMatchObject({
    code: "refresh_token_not_found",
  });
  expect((await back.rpc("my_sessions")).data).toHaveLength(1);
  expect((await back.auth.refreshSession()).error).toBeNull();
});

it("a session that used one has no more than its password proved", async () => {
  const { client, code } = await enrolled();
  expect((await client.rpc("use_recovery_code", { code })).data).toBe(true);
  expect((await client.auth.refreshSession()).error).toBeNull();
  const { data } = await client.auth.getClaims();
  expect(data?.claims).toMatchObject({ aal: "aal1", amr: [{ method: "password" }] });
});
