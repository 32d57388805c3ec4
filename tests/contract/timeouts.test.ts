import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

test("each role that serves a request has a limit for statements and for locks", async () => {
  const { sql } = database;
  const rows = await sql<{ role: string; settings: string[] }>`
    select rolname as role, array_agg(setting order by setting) as settings
    from pg_roles, unnest(rolconfig) setting where setting ~ '^(statement|lock)_timeout='
    group by rolname order by rolname`;
  const found = Object.fromEntries(rows.map(({ role, settings }) => [role, settings.join(" ")]));
  expect(found).toEqual({
    anon: "lock_timeout=1s statement_timeout=3s",
    authenticated: "lock_timeout=2s statement_timeout=4s",
    authenticator: "lock_timeout=8s statement_timeout=8s",
    service_authenticator: "lock_timeout=8s statement_timeout=8s",
    service_role: "lock_timeout=3s statement_timeout=8s",
    supabase_auth_admin: "lock_timeout=3s statement_timeout=8s",
  });
});

test("an authentication waits three seconds at most for a lock", async () => {
  const { superuser, database: pools } = database;
  const held = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const holder = superuser.begin(async (transaction) => {
    await transaction`lock table auth.users in access exclusive mode`;
    held.resolve();
    await release.promise;
  });
  await held.promise;
  const before = performance.now();
  await expect(pools.auth`select from auth.users limit 1`).rejects.toMatchObject({ code: "55P03" });
  expect(performance.now() - before).toBeLessThan(5000);
  release.resolve();
  await holder;
});
