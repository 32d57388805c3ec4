import type { Session } from "@supabase/supabase-js";
import { afterAll, expect, onTestFinished, test } from "vitest";
import {
  codeOf,
  enrolVerified,
  newClient,
  signIn,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { readableMessages } from "#tests/support/inbox-reader.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = await startAuthServer();
afterAll(() => server.close());

async function enrolled() {
  const { client, email } = await signUp(server);
  const { factorId, secret } = await enrolVerified(server, client);
  const { data } = await client.rpc("renew_recovery_codes");
  return { client, email, factorId, secret, code: (data as string[])[0] };
}

test("new codes need an authentication of the last ten minutes, and a refresh is none", async () => {
  const old = await startAuthServer();
  onTestFinished(() => old.close());
  // The authentication's clock is now eleven minutes behind the database's.
  old.pass(-660);
  const { client } = await signUp(old);
  const { factorId, secret } = await enrolVerified(old, client);
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect(await client.rpc("renew_recovery_codes")).toMatchObject({
    status: 403,
    error: { code: "PT403", details: "reauthentication_needed" },
  });
  old.pass(660);
  const code = codeOf(old, secret);
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  expect((await client.rpc("renew_recovery_codes")).data).toHaveLength(10);
});

test("without a factor there are no codes: neither new ones for an older token, nor old ones", async () => {
  const { client, factorId, code } = await enrolled();
  expect((await client.rpc("count_recovery_codes")).data).toBe(10);
  expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  expect(await client.rpc("renew_recovery_codes")).toMatchObject({
    status: 403,
    error: { details: "insufficient_aal" },
  });
  expect((await client.rpc("count_recovery_codes")).data).toBe(0);
  await enrolVerified(server, client, "another");
  expect((await client.rpc("count_recovery_codes")).data).toBe(0);
  expect((await client.rpc("use_recovery_code", { code })).data).toBe(false);
});

test("a token from before the factor gets no codes and ends no session, nor does that of a banned account", async () => {
  const { client, email } = await signUp(server);
  const { data } = await client.auth.getSession();
  await enrolVerified(server, client);
  const older = newClient(server);
  expect((await older.auth.setSession(data.session as Session)).error).toBeNull();
  const refused = { status: 403, error: { details: "insufficient_aal" } };
  expect(await older.rpc("renew_recovery_codes")).toMatchObject(refused);
  const [{ id }] = (await client.rpc("my_sessions")).data;
  expect((await older.rpc("end_session", { session_id: id })).data).toBe(false);
  await withSuperuser(
    server.dataDir,
    (sql) => sql`update auth.users set banned_until = 'infinity' where email = ${email}`,
  );
  expect(await client.rpc("renew_recovery_codes")).toMatchObject(refused);
});

test("a recovery code at once ends every other session, also one with the second factor", async () => {
  const { client: owner, email, factorId, secret, code } = await enrolled();
  await owner.rpc("leave_message", { name: "زائرة", email, message: "لصاحب الموقع" });
  const { client: thief } = await signIn(server, email);
  server.pass(60);
  const strong = await thief.auth.mfa.challengeAndVerify({
    factorId,
    code: codeOf(server, secret),
  });
  expect(strong.error).toBeNull();
  const seen = () => readableMessages(thief);
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

test("a session that used a recovery code has only the level of its password", async () => {
  const { client, code } = await enrolled();
  expect((await client.rpc("use_recovery_code", { code })).data).toBe(true);
  expect((await client.auth.refreshSession()).error).toBeNull();
  const { data } = await client.auth.getClaims();
  expect(data?.claims).toMatchObject({ aal: "aal1", amr: [{ method: "password" }] });
});
