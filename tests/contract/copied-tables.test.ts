import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { copiedTables } from "#app/server/commands/transfer/tables.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { databaseUrl } from "#tests/support/superuser.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

test("each table says whether its rows are copied, or why not", async () => {
  const tables = await database.sql<{ name: string; said: string | null }>`
    select oid::regclass::text as name, obj_description(oid, 'pg_class') as said from pg_class
    where relkind in ('r', 'p') and relnamespace in ('public'::regnamespace, 'private'::regnamespace)`;
  expect(tables.map(({ name }) => name)).toContain("contact_messages");
  const silent = tables.filter(({ said }) => !/^(Copied|Not copied: .+)$/.test(said ?? ""));
  expect(silent.map(({ name }) => name)).toEqual([]);
});

test("a copied table has no numbered column, whose next number no copy would keep", async () => {
  const numbered = await database.sql<{ name: string }>`
    select attrelid::regclass || '.' || attname as name from pg_attribute
    where attidentity <> '' and obj_description(attrelid, 'pg_class') = 'Copied'`;
  expect(numbered).toEqual([]);
});

test("referenced tables are copied before those that refer to them", async () => {
  const client = new Client(await databaseUrl(database.dataDir));
  await client.connect();
  const order = [...(await copiedTables(client)).keys()];
  const { rows } = await client.query<{ from: string; to: string }>(`
    select conrelid::regclass as from, confrelid::regclass as to
    from pg_constraint where contype = 'f' and conrelid <> confrelid`);
  await client.end();
  const place = (name: string) =>
    order.indexOf(name === "contact_messages" ? `public.${name}` : name);
  const copied = rows.filter(({ from }) => place(from) >= 0);
  expect(copied.length).toBeGreaterThan(5);
  expect(copied.filter(({ from, to }) => place(to) < 0 || place(from) < place(to))).toEqual([]);
});
