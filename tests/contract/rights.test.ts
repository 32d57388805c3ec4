import { randomUUID } from "node:crypto";
import { afterAll, expect, test } from "vitest";
import { listedFunctions } from "#app/supabase-calls.ts";
import { startTestDatabase } from "#tests/support/database.ts";

// As on hosted Supabase, the API roles had all default privileges before the first migration.
const database = await startTestDatabase();
afterAll(() => database.close());

const roles = ["anon", "authenticated", "service_role"] as const;
type Role = (typeof roles)[number];

/** The functions of a schema by the role that may call them. */
async function callable(schema: string) {
  const rows = await database.superuser`
    select distinct proname as name, role, 'inet'::regtype = any (proargtypes) as "takesAddress"
    from pg_proc, unnest(${roles}::text[]) role
    where pronamespace = ${schema}::regnamespace and has_function_privilege(role, oid, 'execute')
    order by 1`;
  const of = (role: Role) => rows.filter((row) => row["role"] === role);
  const names = (role: Role) => of(role).map(({ name }) => String(name));
  return { of, names };
}

test("accounts may call their functions, the site its own, and a visitor none", async () => {
  const { of, names } = await callable("public");
  expect(names("anon")).toEqual([]);
  expect(names("authenticated")).toEqual(listedFunctions.accounts.toSorted());
  expect(names("service_role")).toEqual(listedFunctions.site.toSorted());
  // Only the site says which address a visitor has.
  expect(of("authenticated").filter(({ takesAddress }) => takesAddress)).toEqual([]);
});

test("of the functions that run as their owner, accounts may call those of the policies", async () => {
  const { names } = await callable("private");
  const rows = await database.superuser`
    select proname as name from pg_proc where prosecdef and proname = any (${names("authenticated")})`;
  expect(rows.map(({ name }) => name).toSorted()).toEqual(["may_read_inbox", "owns_inbox"]);
  expect([names("anon"), names("service_role")]).toEqual([[], []]);
});

test("visitors have a right on no table, view or sequence, accounts on two tables, and the site on their ids", async () => {
  const rows = await database.superuser`
    select distinct c.oid::regclass::text as name, role
    from pg_class c, unnest(${roles}::text[]) role
    where relnamespace not in ('pg_catalog'::regnamespace, 'information_schema'::regnamespace)
      and case when relkind = 'S' then has_sequence_privilege(role, c.oid, 'usage, select, update')
        when relkind in ('r', 'p', 'v', 'm', 'f') then has_table_privilege(role, c.oid,
          'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege(role, c.oid, 'select, insert, update, references') end
    order by 1, 2`;
  expect(rows.map(({ name, role }) => `${name} ${role}`)).toEqual([
    "contact_messages authenticated",
    "contact_messages service_role",
    "inbox_deletions authenticated",
    "inbox_deletions service_role",
  ]);
  const columns = await database.superuser`
    select attrelid::regclass || '.' || attname as name from pg_attribute
    where attrelid in ('public.contact_messages'::regclass, 'public.inbox_deletions'::regclass)
      and attnum > 0 and has_column_privilege('service_role', attrelid, attnum,
        'select, insert, update, references')
    order by 1`;
  expect(columns.map(({ name }) => name)).toEqual(["contact_messages.id", "inbox_deletions.id"]);
});

test("accounts may change what the owner sorts and notes, and insert and delete nothing", async () => {
  const rights = ["insert", "update", "delete", "truncate", "references", "trigger"];
  const rows = await database.superuser`
    select kind, case when kind in ('insert', 'update', 'references') then attname end as name
    from pg_attribute, unnest(${rights}::text[]) kind
    where attrelid = 'public.contact_messages'::regclass and attnum > 0 and not attisdropped
      and case when kind in ('insert', 'update', 'references')
        then has_column_privilege('authenticated', attrelid, attnum, kind)
        else has_table_privilege('authenticated', attrelid, kind) end
    order by 1, 2`;
  expect(rows.map(({ kind, name }) => `${kind} ${name}`)).toEqual(
    [
      "accepted_signs",
      "answered_at",
      "archived_at",
      "deleted_at",
      "expired_at",
      "last_change",
      "note",
      "restored_at",
      "spam_signs",
    ].map((name) => `update ${name}`),
  );
});

test("only the superuser's login is one, and the visitors' login cannot become service_role", async () => {
  const supers = await database.superuser`
    select rolname as name from pg_roles where rolcanlogin and rolsuper`;
  expect(supers.map(({ name }) => name)).toEqual(["supabase_admin"]);
  const memberships = await database.superuser`
    select login, role from unnest(array['authenticator', 'service_authenticator']) login,
      unnest(array['anon', 'authenticated', 'service_role', 'postgres']) role
    where pg_has_role(login, role, 'member') order by 1, 2`;
  expect(memberships.map(({ login, role }) => [login, role])).toEqual([
    ["authenticator", "anon"],
    ["authenticator", "authenticated"],
    ["service_authenticator", "service_role"],
  ]);
  const { authenticator } = database.database;
  await expect(authenticator`select from public.contact_messages`).rejects.toMatchObject({
    code: "42501",
  });
  await expect(authenticator`set role service_role`).rejects.toMatchObject({ code: "42501" });
});

/** Hosted Supabase refuses others to the API's login, also in functions (safeupdate, SQLSTATE 21000). */
test("every update and deletion of a function has a condition", async () => {
  const rows = await database.superuser`
    select proname as name, prosrc as text from pg_proc
    where pronamespace in ('public'::regnamespace, 'private'::regnamespace)`;
  const changes = rows.flatMap(({ name, text }) =>
    String(text)
      .replaceAll(/--.*/g, "")
      .split(";")
      .map((statement) => /\b(?:delete\s+from|update\s+\w+\.\w+)\s.*/s.exec(statement)?.[0])
      .filter((change) => change !== undefined)
      .map((change) => ({ name, hasCondition: /\bwhere\b/.test(change) })),
  );
  expect(changes.length).toBeGreaterThan(20);
  expect(changes.filter(({ hasCondition }) => !hasCondition)).toEqual([]);
});

test("each role that serves a request has a limit for statements and for locks", async () => {
  const { sql } = database;
  const rows = await sql<{ role: string; settings: string[] }>`
    select rolname as role, array_agg(setting order by setting) as settings
    from pg_roles, unnest(rolconfig) setting where setting ~ '^(statement|lock)_timeout='
    group by rolname order by rolname`;
  const found = Object.fromEntries(rows.map(({ role, settings }) => [role, settings.join(" ")]));
  expect(found).toEqual({
    authenticated: "lock_timeout=3s statement_timeout=4s",
    authenticator: "lock_timeout=8s statement_timeout=8s",
    service_authenticator: "lock_timeout=8s statement_timeout=8s",
    service_role: "lock_timeout=3s statement_timeout=4s",
    supabase_auth_admin: "lock_timeout=3s statement_timeout=8s",
  });
});

/** A session of a new account that ends at `notAfter`, stored as auth does it. */
async function newSession(notAfter: Date | null) {
  const [user, session] = [randomUUID(), randomUUID()];
  const { auth } = database.database;
  await auth`insert into auth.users (id) values (${user})`;
  await auth`
    insert into auth.sessions (id, user_id, not_after) values (${session}, ${user}, ${notAfter})`;
  return { user, session };
}

async function isOpen(user: string, session: string): Promise<boolean> {
  return database.sql.begin(async (sql) => {
    const claims = JSON.stringify({ sub: user, session_id: session });
    await sql`select set_config('request.jwt.claims', ${claims}, true)`;
    const [row] = await sql`select private.is_signed_in() as open`;
    return row?.["open"];
  });
}

test("a token has rights while its session is open", async () => {
  const open = await newSession(null);
  expect(await isOpen(open.user, open.session)).toBe(true);
  expect(await isOpen(open.user, randomUUID())).toBe(false);
  const later = await newSession(new Date(Date.now() + 60_000));
  expect(await isOpen(later.user, later.session)).toBe(true);
  expect(await isOpen(later.user, open.session)).toBe(false);
  const over = await newSession(new Date(Date.now() - 1));
  expect(await isOpen(over.user, over.session)).toBe(false);
});

test("a token of a banned or deleted account has no rights, although its session is open", async () => {
  const { user, session } = await newSession(null);
  const { auth } = database.database;
  const banUntil = (time: Date) =>
    auth`update auth.users set banned_until = ${time} where id = ${user}`;
  await banUntil(new Date(Date.now() + 60_000));
  expect(await isOpen(user, session)).toBe(false);
  await banUntil(new Date(Date.now() - 1));
  expect(await isOpen(user, session)).toBe(true);
  await auth`update auth.users set deleted_at = now() where id = ${user}`;
  expect(await isOpen(user, session)).toBe(false);
});

test("a claim code has 80 bits, each of them random", async () => {
  const codes: string[] = [];
  for (let number = 0; number < 200; number += 1) {
    const [row] = await database.sql`select public.new_claim_code() as code`;
    codes.push(row?.["code"]);
  }
  expect(codes).toEqual(codes.map(() => expect.stringMatching(/^(?:[0-9a-f]{5}-){3}[0-9a-f]{5}$/)));
  const values = codes.map((code) => BigInt(`0x${code.replaceAll("-", "")}`));
  for (let bit = 0n; bit < 80n; bit += 1n) {
    const ones = values.filter((value) => (value >> bit) & 1n).length;
    // With fair coins this fails once in 10^9 runs.
    expect([bit, ones]).toEqual([bit, expect.toSatisfy((n) => n > 50 && n < 150)]);
  }
});

test("of two accounts that become the owner at the same moment, the first stays it", async () => {
  const [first, second] = [await newSession(null), await newSession(null)];
  // A claim and the start of another process may both have seen an inbox without an owner.
  await database.superuser`select private.own_inbox(${first.user})`;
  await database.superuser`select private.own_inbox(${second.user})`;
  expect(await database.superuser`select user_id from private.site_owner`).toEqual([
    { user_id: first.user },
  ]);
});
