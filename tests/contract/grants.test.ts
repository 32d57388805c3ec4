import { afterAll, beforeAll, expect, test } from "vitest";
import { listedFunctions } from "#embedded/calls.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  // As on hosted Supabase, the API roles had all default privileges before the first migration.
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const apiRoles = ["anon", "authenticated"];

/** The functions of a schema that visitors or accounts may call, of those that run as their owner. */
async function callable(schema: string): Promise<string[]> {
  const rows = await database.superuser`
    select distinct proname as name
    from pg_proc, unnest(${apiRoles}::text[]) role
    where pronamespace = ${schema}::regnamespace and (prosecdef or ${schema} = 'public')
      and has_function_privilege(role, oid, 'execute')
    order by 1`;
  return rows.map(({ name }) => String(name));
}

test("visitors and accounts may call what the site calls, and no other function", async () => {
  expect((await callable("public")).filter((name) => !listedFunctions.includes(name))).toEqual([]);
  // Those of the policies.
  expect(await callable("private")).toEqual(["may_read_inbox", "owns_inbox"]);
});

test("visitors and accounts have rights on no other table, view or sequence", async () => {
  const rows = await database.superuser`
    select distinct c.oid::regclass::text as name, role
    from pg_class c, unnest(${apiRoles}::text[]) role
    where relnamespace in ('public'::regnamespace, 'private'::regnamespace)
      and case when relkind = 'S' then has_sequence_privilege(role, c.oid, 'usage, select, update')
        when relkind in ('r', 'p', 'v', 'm', 'f') then has_table_privilege(role, c.oid,
          'select, insert, update, delete, truncate, references, trigger')
        or has_any_column_privilege(role, c.oid, 'select, insert, update, references') end
    order by 1, 2`;
  expect(rows.map(({ name, role }) => `${name} ${role}`)).toEqual([
    "contact_messages anon",
    "contact_messages authenticated",
    "inbox_deletions authenticated",
    "private.changes authenticated",
  ]);
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
