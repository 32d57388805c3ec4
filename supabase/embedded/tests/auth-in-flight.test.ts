import { afterAll, describe, expect, test } from "vitest";
import type { SqlPool } from "#embedded/sql.ts";
import { buildGate, countWaiting } from "./gates.ts";
import {
  type Account,
  ends,
  newAccount,
  refresh,
  requests,
  signInAsThief,
} from "./requests-in-flight.ts";
import { password, send } from "./support/accounts.ts";
import { startNotes } from "./support/notes-site.ts";
import { openSuperuser } from "./support/superuser.ts";

const signIns = 7;

/** A busy machine needs more time to bring all requests to their gate than a request may wait. */
async function waitLonger(sql: SqlPool): Promise<void> {
  await sql.script(`
    alter role supabase_auth_admin set lock_timeout = '50s';
    alter role supabase_auth_admin set statement_timeout = '50s';
    select pg_terminate_backend(pid) from pg_stat_activity where usename = 'supabase_auth_admin';`);
}

const site = await startNotes();
const sql = await openSuperuser(site.dataDir, 4);
afterAll(async () => {
  await sql.end();
  await site.close();
});
await waitLonger(sql);
const newSessions = await buildGate(sql, "sessions", "insert on auth.sessions");
const accountEnds = await buildGate(
  sql,
  "ends",
  "update of encrypted_password, banned_until or delete on auth.users",
);

const waitFor = (count: number) =>
  expect.poll(() => countWaiting(sql), { interval: 5, timeout: 40_000 }).toBe(count);
const reads = async (token: string) => (await send(site, "GET", "/user", { token })).status;

/** The code of a refused sign-in, or whether its session is open. */
async function outcomeOf({ status, json = {} }: Awaited<ReturnType<typeof send>>) {
  if (status !== 200) {
    return json["code"];
  }
  const isOpen =
    (await reads(String(json["access_token"]))) === 200 ||
    (await refresh(site, String(json["refresh_token"]))).status === 200;
  return isOpen ? "open" : "ended";
}

async function expectOnly(kept: string | undefined, { id }: Account) {
  const [account] = await sql`
    select email_change,
      (select count(*)::int from auth.sessions where user_id = u.id) as sessions,
      (select count(*)::int from auth.mfa_factors where user_id = u.id) as factors
    from auth.users u where id = ${id} and banned_until is null`;
  expect(account).toEqual(kept && { email_change: "", sessions: 1, factors: 0 });
  expect(await reads(kept ?? "none")).toBe(kept === undefined ? 403 : 200);
}

describe.for(Object.entries(ends))("%s", ([, end]) => {
  test("refuses all requests that wait for it", async () => {
    const account = await newAccount(site, sql);
    const { ending, sent } = await accountEnds.whileShut(async () => {
      const started = end(site, sql, account);
      await waitFor(1);
      const waiting = requests.map((request) => request.send(site, account));
      await waitFor(1 + requests.length);
      return { ending: started, sent: waiting };
    });
    const kept = await ending;
    const answers = await Promise.all(sent);
    for (const [index, { refusals }] of requests.entries()) {
      expect(refusals).toContain(answers[index]?.json?.["code"]);
    }
    await expectOnly(kept, account);
  });

  test("ends the sessions of all sign-ins that it waits for", async () => {
    const account = await newAccount(site, sql);
    const { ending, sent } = await newSessions.whileShut(async () => {
      const waiting = Array.from({ length: signIns }, () => signInAsThief(site, account));
      await waitFor(signIns);
      const started = end(site, sql, account);
      await Promise.race([started, waitFor(signIns + 1)]);
      return { ending: started, sent: waiting };
    });
    const kept = await ending;
    const outcomes = await Promise.all((await Promise.all(sent)).map(outcomeOf));
    expect(outcomes).toContain("ended");
    expect(["ended", "invalid_credentials"]).toEqual(expect.arrayContaining(outcomes));
    await expectOnly(kept, account);
  });
});

test("of two new passwords that one session sends at once, the first counts", async () => {
  const { holder: token } = await newAccount(site, sql);
  const change = (text: string) =>
    send(site, "PUT", "/user", { token, body: { password: text, current_password: password } });
  const sent = await accountEnds.whileShut(async () => {
    const first = change("the first of two");
    await waitFor(1);
    const second = change("the second of two");
    await waitFor(2);
    return [first, second];
  });
  const answers = await Promise.all(sent);
  expect(answers.map(({ status, json }) => json?.["code"] ?? status)).toEqual([
    200,
    "current_password_invalid",
  ]);
});
