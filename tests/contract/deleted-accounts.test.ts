import { decodeJwt } from "jose";
import { afterAll, expect, onTestFinished, test } from "vitest";
import {
  type Client,
  enrolVerified,
  password,
  signIn,
  signUp,
} from "#tests/support/auth-server.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { deleteOwner, fill, keptRows, ownerEmail } from "#tests/support/filled-database.ts";
import { leaveMessage } from "#tests/support/messages.ts";
import { callAsSite } from "#tests/support/site-call.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = Object.assign(await startTestServer(), { now: Date.now });
afterAll(() => server.close());

const sessionOf = async ({ auth }: Client) => {
  const { data } = await auth.getSession();
  return decodeJwt(data.session?.access_token ?? "")["session_id"];
};

/** Deletes the account of a client's session as the site does. Returns whether the session was open. */
const deleteAccount = async (client: Client, at: TestServer = server) =>
  (await callAsSite(at, "delete_account", { session: await sessionOf(client) })).data;

/** The tables of the database that contain a text. */
const tablesWith = (dataDir: string, text: string) =>
  withSuperuser(dataDir, async (sql) => {
    const tables = await sql<{ name: string }>`
      select oid::regclass::text as name from pg_class
      where relkind = 'r'
        and relnamespace in ('auth'::regnamespace, 'private'::regnamespace, 'public'::regnamespace)
      order by 1`;
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await sql.unsafe(
        `select from ${name} t where strpos(to_jsonb(t)::text, $1) > 0 limit 1`,
        [text],
      );
      found.push(...rows.map(() => name));
    }
    return found;
  });

test("an account is deleted with all that belongs to it, and its address is free", async () => {
  const { client, email, user } = await signUp(server);
  const other = await signIn(server, email);
  const neighbour = await signUp(server);
  await client.auth.resetPasswordForEmail(email);
  expect(await tablesWith(server.dataDir, user.id)).toContain("auth.users");
  expect(await deleteAccount(client)).toBe(true);
  for (const gone of [client, other.client]) {
    expect((await gone.auth.getUser()).error).toMatchObject({ code: "user_not_found" });
    expect(await deleteAccount(gone)).toBe(false);
    expect((await gone.auth.refreshSession()).error).not.toBeNull();
  }
  await expect(signIn(server, email)).rejects.toMatchObject({ code: "invalid_credentials" });
  expect((await neighbour.client.auth.getUser()).error).toBeNull();

  const again = await signUp(server, email);
  expect(again.user.id).not.toBe(user.id);
  expect(await tablesWith(server.dataDir, user.id)).toEqual([]);
});

test("a session without the account's second factor deletes and ends nothing, nor does one that has ended", async () => {
  const { client, email } = await signUp(server);
  await enrolVerified(server, client);
  const weak = await signIn(server, email);
  const [strong, own] = [await sessionOf(client), await sessionOf(weak.client)];
  const end = (session: unknown, by: unknown) => callAsSite(server, "end_session", { session, by });
  expect(await deleteAccount(weak.client)).toBe(false);
  expect((await end(strong, own)).data).toBe(false);
  const stranger = await signUp(server);
  expect((await end(strong, await sessionOf(stranger.client))).data).toBe(false);
  expect((await end(own, strong)).data).toBe(true);
  expect((await end(strong, own)).data).toBe(false);
  expect(await deleteAccount(weak.client)).toBe(false);
  expect(await deleteAccount(client)).toBe(true);
});

test("of two deletions at once one finds the account gone, and a message that arrives meanwhile is stored", async () => {
  const { client, user } = await signUp(server);
  const message = { name: "n", email: "a@example.com", message: "meanwhile" };
  const [left, ...deletions] = await Promise.all([
    leaveMessage(server, message),
    deleteAccount(client),
    deleteAccount(client),
  ]);
  expect(deletions.toSorted()).toEqual([false, true]);
  expect(left.status).toBe(200);
  expect(await tablesWith(server.dataDir, user.id)).toEqual([]);
});

async function startOwn(): Promise<TestServer> {
  const started = await startTestServer();
  onTestFinished(() => started.close());
  return started;
}

const stateOf = async (client: Client) => {
  const { data } = await client.rpc("inbox_state");
  return [data.owner, data.may_read, Number(data.messages)];
};

test("of an owner nothing stays but the inbox, closed until the next owner's claim", async () => {
  const owned = await startOwn();
  await fill(owned);
  const { dataDir } = owned;
  const owner = await deleteOwner(dataDir);
  expect(await tablesWith(dataDir, owner)).toEqual([]);
  expect(await tablesWith(dataDir, ownerEmail)).toEqual([]);
  const { client: next } = await signUp(owned);
  expect(await stateOf(next)).toEqual(["other", false, 0]);
  expect((await next.rpc("claim_inbox", { code: "00000-00000-00000-00000" })).data).toBe(false);
  const mails = async () =>
    (await keptRows(dataDir))["private.notifications"]?.filter((row) => row.includes('"mail"'));
  const before = await mails();
  const message = { name: "n", email: "a@example.com", message: "after the owner" };
  expect((await leaveMessage(owned, message)).status).toBe(200);
  expect(await mails()).toEqual(before);
  const newCode = async () => (await callAsSite(owned, "new_claim_code", {})).data;
  expect((await next.rpc("claim_inbox", { code: await newCode() })).data).toBe(true);
  expect((await stateOf(next)).slice(0, 2)).toEqual(["me", true]);
  expect(await newCode()).toBe(null);
}, 60_000);

test("the account of a reserved address becomes the owner of an inbox that lost its owner", async () => {
  const other = await startOwn();
  const { client, user } = await signUp(other);
  await withSuperuser(other.dataDir, async (sql) => {
    await sql`insert into private.site_owner (user_id) values (${user.id})`;
  });
  expect(await deleteAccount(client, other)).toBe(true);
  const address = "reserved@example.com";
  const reserve = async () => (await callAsSite(other, "reserve_inbox", { address })).data;
  expect(await reserve()).toBe(null);
  const { client: reserved } = await signUp(other, address);
  const { client: stranger } = await signUp(other);
  expect(await stateOf(reserved)).toEqual(["other", false, 0]);
  await withSuperuser(other.dataDir, (sql) =>
    sql.script(`update auth.identities set identity_data = identity_data || '{"email_verified": true}'
      where email = '${address}'`),
  );
  expect(await stateOf(reserved)).toEqual(["me", true, 0]);
  expect(await reserve()).toBe(true);
  expect(await stateOf(reserved)).toEqual(["me", true, 0]);
  expect(await stateOf(stranger)).toEqual(["other", false, 0]);
  expect((await reserved.auth.signInWithPassword({ email: address, password })).error).toBeNull();
});
