import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

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
