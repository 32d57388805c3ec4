import { readFile } from "node:fs/promises";
import { afterAll, describe, expect, test } from "vitest";
import {
  codeOf,
  enrolVerified,
  mailNumber,
  newClient,
  newEmail,
  password,
  present,
  proved,
  send,
  signIn,
  signUp,
  startAuthServer,
} from "#tests/support/auth-server.ts";
import { mailsTo } from "#tests/support/mails.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = await startAuthServer();
afterAll(() => server.close());

const elevenMinutes = 660;
const needed = { status: 400, json: { code: "reauthentication_needed" } };
const currentNeeded = { status: 400, json: { code: "current_password_required" } };

/** An account whose last authentication is eleven minutes old, and its renewed access token. */
async function stolen(hasFactor = false) {
  const account = await signUp(server);
  const { auth } = account.client;
  const factor = hasFactor ? await enrolVerified(server, account.client) : undefined;
  server.pass(elevenMinutes);
  const { data, error } = await auth.refreshSession();
  if (error) {
    throw error;
  }
  return { ...account, factor, token: present(data).session.access_token };
}

describe("an access token alone", () => {
  test("cannot change the password of a session that began with a mail a while ago", async () => {
    const { email } = await stolen();
    const { auth } = newClient(server);
    await auth.resetPasswordForEmail(email);
    const { tokenHash } = await mailNumber(server, email, 1);
    const verified = await auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    const token = present(verified.data).session.access_token;
    // After a takeover the account has no password that could be required.
    const put = () =>
      send(server, "PUT", "/user", { token, body: { password: "by the mail alone" } });
    server.pass(elevenMinutes);
    expect(await put()).toMatchObject(needed);
    server.pass(-elevenMinutes);
    expect((await put()).status).toBe(200);
    server.pass(elevenMinutes);
    const body = { password: "and once more" };
    expect(await send(server, "PUT", "/user", { token, body })).toMatchObject(currentNeeded);
  });

  test("does not become recent by a refresh or by another session's authentication", async () => {
    const { token, email, client } = await stolen();
    await signIn(server, email);
    await client.auth.refreshSession();
    const body = { factor_type: "totp" };
    expect(await send(server, "POST", "/factors", { token, body })).toMatchObject(needed);
  });
});

describe("the session's owner", () => {
  const body = { factor_type: "totp", friendly_name: "second" };

  test("can authenticate again by a sign-in with the session's token, and keeps its level", async () => {
    const { client, token, email, factor } = await stolen(true);
    const path = "/token?grant_type=password";
    const proof = await send(server, "POST", path, { token, body: { email, password } });
    expect(proof.status).toBe(200);
    expect((await send(server, "POST", "/factors", { token, body })).status).toBe(200);
    await client.auth.refreshSession();
    const { data } = await client.auth.getClaims();
    expect(data?.claims).toMatchObject({
      aal: "aal2",
      amr: [{ method: "password" }, { method: "totp" }],
    });
    expect((await client.auth.mfa.unenroll({ factorId: factor?.factorId ?? "" })).error).toBeNull();
  });

  test("cannot do so with a wrong password, another account or an ended session's token", async () => {
    const { token, email, client } = await stolen();
    const other = await signUp(server);
    const path = "/token?grant_type=password";
    const attempt = (credentials: object) =>
      send(server, "POST", path, { token, body: credentials });
    expect((await attempt({ email, password: "wrong one" })).status).toBe(400);
    expect((await attempt({ email: other.email, password })).status).toBe(200);
    expect(await send(server, "POST", "/factors", { token, body })).toMatchObject(needed);
    await client.auth.signOut({ scope: "local" });
    expect((await attempt({ email, password })).status).toBe(200);
    expect((await send(server, "POST", "/factors", { token, body })).status).toBe(403);
  });
});

describe("a token that leaks right after the sign-in", () => {
  const factorBody = { factor_type: "totp", friendly_name: "the thief's" };

  test("changes no address and no password, and enrols no factor", async () => {
    const { session } = await signUp(server);
    const token = session.access_token;
    const email = newEmail();
    expect(await send(server, "PUT", "/user", { token, body: { email } })).toMatchObject(needed);
    expect(await send(server, "POST", "/factors", { token, body: factorBody })).toMatchObject(
      needed,
    );
    const body = { password: "the thief's" };
    expect(await send(server, "PUT", "/user", { token, body })).toMatchObject(currentNeeded);
    expect(await mailsTo(server, email)).toEqual([]);
  });

  test("of a session with the second factor does not remove it", async () => {
    const { email, client: first } = await signUp(server);
    const { factorId, secret } = await enrolVerified(server, first);
    server.pass(60);
    const { client } = await signIn(server, email);
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(server, secret) });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toMatchObject(needed.json);
    expect((await client.auth.updateUser({ email: newEmail() })).error).toMatchObject(needed.json);
    server.pass(60);
    // The owner gives another code.
    await client.auth.mfa.challengeAndVerify({ factorId, code: codeOf(server, secret) });
    expect((await client.auth.mfa.unenroll({ factorId })).error).toBeNull();
  });
});

test("every such change is mailed to the present address", async () => {
  const { email, client } = await signUp(server);
  const told = async (count: number) => {
    await expect.poll(() => mailsTo(server, email)).toHaveLength(count);
    const mails = await mailsTo(server, email);
    return mails.map(({ file }) => /-([a-z_]+)-/.exec(file)?.[1]);
  };
  const { factorId } = await enrolVerified(server, client);
  expect(await told(1)).toEqual(["factor_added"]);
  await client.auth.mfa.unenroll({ factorId });
  expect((await told(2)).at(-1)).toBe("factor_removed");
  await client.auth.updateUser({ password: "another one", current_password: password });
  expect((await told(3)).at(-1)).toBe("password_changed");
  const wanted = newEmail();
  await client.auth.updateUser({ email: wanted });
  expect((await told(4)).at(-1)).toBe("email_requested");
  const { tokenHash } = await mailNumber(server, wanted, 1);
  const body = { token_hash: tokenHash, type: "email_change" };
  expect((await send(server, "POST", "/verify", { body })).status).toBe(200);
  expect((await told(5)).at(-1)).toBe("email_changed");
});

test("after a stranger's factor the statement of DEPLOY lets a new password in, and only that", async () => {
  const { email, client } = await signUp(server);
  let mails = 0;
  const reset = async (to: string) => {
    const { auth } = newClient(server);
    await auth.resetPasswordForEmail(email);
    mails += 1;
    const { tokenHash } = await mailNumber(server, email, mails);
    await auth.verifyOtp({ token_hash: tokenHash, type: "recovery" });
    return (await auth.updateUser({ password: to })).error?.code;
  };
  // The address counts as verified from here on.
  expect(await reset("the holder's own")).toBeUndefined();
  const { data } = await client.auth.signInWithPassword({ email, password: "the holder's own" });
  await enrolVerified(server, client);
  expect(await reset("without the factor")).toBe("insufficient_aal");
  const deploy = await readFile(new URL("../../.github/DEPLOY.md", import.meta.url), "utf8");
  const [statement = ""] = /^do \$\$\ndeclare account[^]*?^end \$\$;$/m.exec(deploy) ?? [];
  await withSuperuser(server.dataDir, (sql) =>
    sql.unsafe(statement.replace("you@your.site", email)),
  );
  expect(await reset("the holder's again")).toBeUndefined();
  const token = data.session?.access_token ?? "";
  expect((await send(server, "GET", "/user", { token })).status).toBe(403);
});

test("a token without the second factor cannot end other sessions", async () => {
  const { client, email } = await signUp(server);
  await enrolVerified(server, client);
  const weak = await signIn(server, email);
  const token = weak.session.access_token;
  expect(await send(server, "POST", "/logout?scope=others", { token })).toMatchObject({
    status: 422,
    json: { code: "insufficient_aal" },
  });
  expect((await client.auth.getUser()).error).toBeNull();
  expect((await send(server, "POST", "/logout?scope=local", { token })).status).toBe(204);
  expect((await weak.client.auth.getUser()).error).not.toBeNull();
  await proved(client);
  expect((await client.auth.signOut({ scope: "others" })).error).toBeNull();
});

test("a token of a session without a proof ends no other session", async () => {
  const { client: holder, email } = await signUp(server);
  const thief = await signIn(server, email);
  const token = thief.session.access_token;
  expect(await send(server, "POST", "/logout?scope=others", { token })).toMatchObject({
    status: 400,
    json: { code: "reauthentication_needed" },
  });
  expect((await holder.auth.getUser()).error).toBeNull();
});
