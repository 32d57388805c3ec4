import { afterAll, expect, onTestFinished, test } from "vitest";
import {
  type Client,
  enrolVerified,
  newClient,
  password,
  proved,
  send,
  signIn,
  signUp,
} from "#tests/support/auth-server.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { deleteOwner, fill, keptRows, ownerEmail } from "#tests/support/filled-database.ts";
import { leaveMessage } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = Object.assign(await startTestServer(), { now: Date.now });
afterAll(() => server.close());

const deleteAccount = async (client: Client) => {
  const { status, error } = await client.rpc("delete_own_account");
  return [status, error?.details];
};
const deleted = [204, undefined];
const proofNeeded = [403, "reauthentication_needed"];
const refused = [403, null];

/** In which tables of the database a text stands. */
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

test("an account is deleted with a proof of its own session of the last ten minutes, and without one not", async () => {
  const { client, email, user } = await signUp(server);
  const other = await signIn(server, email);
  expect(await deleteAccount(client)).toEqual(proofNeeded);
  await proved(client);
  expect(await deleteAccount(other.client)).toEqual(proofNeeded);
  await withSuperuser(
    server.dataDir,
    (sql) => sql`
      update auth.mfa_amr_claims set updated_at = now() - interval '10 minutes'
      where updated_at > created_at`,
  );
  expect(await deleteAccount(client)).toEqual(proofNeeded);
  expect(await deleteAccount(newClient(server))).toEqual([401, null]);
  expect(await tablesWith(server.dataDir, user.id)).toContain("auth.users");

  const neighbour = await signUp(server);
  await client.auth.resetPasswordForEmail(email);
  const { data } = await client.auth.getSession();
  const token = data.session?.access_token ?? "";
  const path = "/token?grant_type=password";
  expect((await send(server, "POST", path, { token, body: { email, password } })).status).toBe(200);
  expect(await deleteAccount(client)).toEqual(deleted);
  for (const gone of [client, other.client]) {
    expect((await gone.auth.getUser()).error).toMatchObject({ code: "user_not_found" });
    expect((await gone.auth.refreshSession()).error).not.toBeNull();
    expect(await deleteAccount(gone)).toEqual(refused);
  }
  await expect(signIn(server, email)).rejects.toMatchObject({ code: "invalid_credentials" });
  expect((await neighbour.client.auth.getUser()).error).toBeNull();

  const again = await signUp(server, email);
  expect(again.user.id).not.toBe(user.id);
  expect(await tablesWith(server.dataDir, user.id)).toEqual([]);
});

test("an account with a second factor needs it, and a session that has ended deletes nothing", async () => {
  const { client, email } = await signUp(server);
  await enrolVerified(server, client);
  const weak = await signIn(server, email);
  await proved(weak.client);
  expect(await deleteAccount(weak.client)).toEqual(refused);
  const ended = await signUp(server);
  await proved(ended.client);
  const { access_token: token } = ended.session;
  await ended.client.auth.signOut({ scope: "local" });
  const headers = { Authorization: `Bearer ${token}`, "Content-Type": "application/json" };
  const url = new URL("/rest/v1/rpc/delete_own_account", server.url);
  const answer = await fetch(url, { method: "POST", headers, body: "{}" });
  expect(answer.status).toBe(403);
  await proved(client);
  expect(await deleteAccount(client)).toEqual(deleted);
});

test("of two deletions at once one finds the account gone, and a message that arrives meanwhile is stored", async () => {
  const { client, user } = await signUp(server);
  await proved(client);
  const message = { name: "n", email: "a@example.com", message: "meanwhile" };
  const answers = await Promise.all([
    deleteAccount(client),
    deleteAccount(client),
    leaveMessage(server, message),
  ]);
  expect(answers.slice(0, 2).toSorted()).toEqual([deleted, refused]);
  expect(answers[2].status).toBe(200);
  expect(await tablesWith(server.dataDir, user.id)).toEqual([]);
});

async function startOwn(): Promise<TestServer> {
  const started = await startTestServer();
  onTestFinished(() => started.close());
  return started;
}

const callAsSite = async ({ embedded }: TestServer, name: string, args: object) =>
  (await embedded.callAsSite(name, args)).json() as Promise<unknown>;

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
  const newCode = () => callAsSite(owned, "new_claim_code", {});
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
  await proved(client);
  expect(await deleteAccount(client)).toEqual(deleted);
  const address = "reserved@example.com";
  const reserve = () => callAsSite(other, "reserve_inbox", { address });
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
