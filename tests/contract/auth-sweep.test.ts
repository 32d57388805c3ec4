import { chmod, cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newClient, signIn, startAuthServer } from "#tests/support/auth-server.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";

// More than a batch of expired rows of each kind, and one that is still in use.
const rows = `
  insert into auth.users (id, aud, role, email, created_at)
  values ('00000000-0000-4000-8000-000000000001', 'authenticated', 'authenticated', 'old@example.com', now());
  insert into auth.sessions (id, user_id, created_at, aal, refreshed_at, not_after)
  select gen_random_uuid(), u.id, now() - interval '90 days', 'aal1', moment at time zone 'utc', ends
  from auth.users u, (values
    (now() - interval '31 days', null), (null, null), (now(), now() - interval '2 days'),
    (now() - interval '29 days', null)
  ) as s (moment, ends);
  insert into auth.refresh_tokens (token, session_id, revoked, parent, updated_at)
  select 'token ' || n, s.id, n < 1203, 'token ' || n - 1, now() - interval '2 days'
  from generate_series(1, 1203) n,
    (select id from auth.sessions where refreshed_at < now() - interval '28 days' order by refreshed_at desc limit 1) s;
  insert into auth.flow_state (id, user_id, provider_type, authentication_method, created_at, updated_at)
  select gen_random_uuid(), u.id, 'email', 'recovery', now() - interval '1 hour' * n, now()
  from auth.users u, generate_series(1, 1200) n;
  insert into auth.mfa_factors (id, user_id, friendly_name, factor_type, status, created_at, updated_at)
  select gen_random_uuid(), u.id, state || days, 'totp', state::auth.factor_status, now() - interval '1 day' * days, now()
  from auth.users u, (values ('unverified', 2), ('unverified', 0), ('verified', 200)) as f (state, days);
  insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
  select gen_random_uuid(), f.id, now() - interval '1 day' * days, '::1'
  from auth.mfa_factors f, generate_series(0, 3) days where f.status = 'verified';
  insert into auth.one_time_tokens (user_id, token_type, token_hash, relates_to, code_hash, created_at, updated_at)
  select u.id, kind::auth.one_time_token_type, '', u.email, '', now() - interval '1 hour' * hours, now()
  from auth.users u, (values ('recovery_token', 26), ('confirmation_token', 24)) as t (kind, hours);
  create function public.auth_rows() returns json language sql security definer set search_path = ''
  as $$
    select json_build_object(
      'sessions', (select count(*) from auth.sessions),
      'refresh_tokens', (select count(*) from auth.refresh_tokens),
      'flow_state', (select count(*) from auth.flow_state),
      'mfa_factors', (select count(*) from auth.mfa_factors),
      'mfa_challenges', (select count(*) from auth.mfa_challenges),
      'one_time_tokens', (select count(*) from auth.one_time_tokens))
  $$;`;

let folder: string;
let server: TestServer;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "sweep-"));
  await chmod(folder, 0o711);
  const migrationsDir = join(folder, "migrations");
  await cp(new URL("../../supabase/migrations", import.meta.url), migrationsDir, {
    recursive: true,
  });
  await writeFile(join(migrationsDir, "99990101000000_test.sql"), rows);
  server = await startTestServer({ migrationsDir });
});
afterAll(async () => {
  await server?.close();
  await rm(folder, { recursive: true, force: true });
});

test("expired rows are deleted soon after the start, in batches", async () => {
  const client = createClient(server.url, server.secretKey);
  const count = async () => (await client.rpc("auth_rows")).data as unknown;
  expect(await count()).toMatchObject({ sessions: 4, flow_state: 1200 });
  await expect.poll(count, { timeout: 30_000, interval: 200 }).toEqual({
    sessions: 1,
    // The active token and its parent.
    refresh_tokens: 2,
    flow_state: 23,
    mfa_factors: 2,
    mfa_challenges: 1,
    one_time_tokens: 1,
  });
});

test("a session that was not refreshed for thirty days has ended", async () => {
  const site = await startAuthServer();
  try {
    const { auth } = newClient(site);
    await auth.signUp({ email: "idle@example.com", password: "correct horse" });
    const { client } = await signIn(site, "idle@example.com");
    site.pass(20 * 86_400);
    expect((await client.auth.refreshSession()).error).toBeNull();
    site.pass(20 * 86_400);
    expect((await client.auth.refreshSession()).error).toBeNull();
    expect((await auth.refreshSession()).error).toMatchObject({
      status: 400,
      code: "session_expired",
    });
  } finally {
    await site.close();
  }
});
