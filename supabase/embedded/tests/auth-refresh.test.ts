import { afterAll, describe, expect, test } from "vitest";
import { send, signIn, signUp } from "./support/accounts.ts";
import { startNotes } from "./support/notes-site.ts";
import { openSuperuser } from "./support/superuser.ts";

const site = await startNotes();
afterAll(() => site.close());

// Expired rows of each kind, and one that is still in use.
const rows = `
  insert into auth.users (id, aud, role, email, created_at)
  values ('00000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'old@example.com', now());
  insert into auth.sessions (id, user_id, created_at, aal, refreshed_at)
  select gen_random_uuid(), u.id, now() - interval '90 days', 'aal1', moment at time zone 'utc'
  from auth.users u, (values
    (now() - interval '31 days'), (null), (now() - interval '29 days')
  ) as s (moment);
  insert into auth.refresh_tokens (token, session_id, revoked, parent, updated_at)
  select 'token ' || n, s.id, n < 5, 'token ' || n - 1, now() - interval '2 days'
  from generate_series(1, 5) n,
    (select id from auth.sessions where refreshed_at < now() - interval '28 days' order by refreshed_at desc limit 1) s;
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
  select gen_random_uuid(), u.id, state || days, 'totp', state, now() - interval '1 day' * days, now()
  from auth.users u, (values ('unverified', 2), ('unverified', 0), ('verified', 200)) as f (state, days);
  insert into auth.mfa_challenges (id, factor_id, created_at)
  select gen_random_uuid(), f.id, now() - interval '1 day' * days
  from auth.mfa_factors f, generate_series(0, 3) days where f.status = 'verified';
  insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, code_hash, created_at, updated_at)
  select u.id, kind, '', u.email, '', now(), now() - interval '1 hour' * hours
  from auth.users u, (values ('recovery_token', 26), ('confirmation_token', 24)) as t (kind, hours);`;

test("a sweep deletes expired rows", async () => {
  const sql = await openSuperuser(site.dataDir);
  try {
    await sql.script(rows);
    const count = async () => {
      const [counted] = await sql`
        select (select count(*)::int from auth.sessions) as sessions,
          (select count(*)::int from auth.refresh_tokens) as refresh_tokens,
          (select count(*)::int from auth.mfa_factors) as mfa_factors,
          (select count(*)::int from auth.mfa_challenges) as mfa_challenges,
          (select count(*)::int from auth.one_time_tokens) as one_time_tokens`;
      return counted;
    };
    expect(await count()).toMatchObject({ sessions: 3, refresh_tokens: 5 });
    expect(await site.embedded.sweep()).toBe(10);
    expect(await count()).toEqual({
      sessions: 1,
      // The active token and its parent.
      refresh_tokens: 2,
      mfa_factors: 2,
      mfa_challenges: 1,
      one_time_tokens: 1,
    });
  } finally {
    await sql.end();
  }
});

const refresh = (refresh_token: string | undefined) =>
  send(site, "POST", "/token?grant_type=refresh_token", { body: { refresh_token } });

async function chain(length: number) {
  const { session, email } = await signUp(site);
  const tokens = [session.refresh_token];
  for (let step = 0; step < length; step += 1) {
    const { json } = await refresh(tokens[step]);
    tokens.push(String(json?.["refresh_token"]));
  }
  return { tokens, session, email };
}

describe("refreshing", () => {
  test("returns the active token for a token used within the last 10 s", async () => {
    const { tokens } = await chain(3);
    site.pass(5);
    expect((await refresh(tokens[0])).json).toMatchObject({ refresh_token: tokens[3] });
    expect((await refresh(tokens[1])).json).toMatchObject({ refresh_token: tokens[3] });
  });

  test("returns the active token long after, for a client that lost the last response", async () => {
    const { tokens } = await chain(3);
    site.pass(86_400);
    expect((await refresh(tokens[2])).json).toMatchObject({ refresh_token: tokens[3] });
    expect((await refresh(tokens[3])).status).toBe(200);
  });

  test("ends the session, and no other, when an older token is used later", async () => {
    const { tokens, session, email } = await chain(2);
    const other = await signIn(site, email);
    site.pass(11);
    expect(await refresh(tokens[0])).toMatchObject({
      status: 400,
      json: {
        code: "refresh_token_already_used",
        message: "Invalid Refresh Token: Already Used",
      },
    });
    expect(await refresh(tokens[2])).toMatchObject({
      status: 400,
      json: { code: "refresh_token_not_found" },
    });
    expect(await send(site, "GET", "/user", { token: session.access_token })).toMatchObject({
      status: 403,
      json: { code: "session_not_found" },
    });
    expect((await other.client.auth.refreshSession()).error).toBeNull();
  });

  test("works for the client long after the access token has expired", async () => {
    const { client, session } = await signUp(site);
    site.pass(7200);
    expect((await client.auth.getUser()).error).toMatchObject({ status: 403, code: "bad_jwt" });
    expect((await client.auth.refreshSession(session)).error).toBeNull();
    expect((await client.auth.getUser()).error).toBeNull();
  });
});

test("a session that was not refreshed for thirty days has ended", async () => {
  const idle = await signUp(site);
  const { client } = await signIn(site, idle.email);
  site.pass(20 * 86_400);
  expect((await client.auth.refreshSession()).error).toBeNull();
  site.pass(20 * 86_400);
  expect((await client.auth.refreshSession()).error).toBeNull();
  expect((await idle.client.auth.refreshSession()).error).toMatchObject({
    status: 400,
    code: "session_expired",
  });
});
