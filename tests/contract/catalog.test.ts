import { Client } from "pg";
import { afterAll, expect, test } from "vitest";
import { copiedTables, siteTables } from "#app/server/commands/transfer/tables.ts";
import { databaseTypes } from "#supabase/database-types.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { databaseUrl } from "#tests/support/superuser.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

/** The tables whose rows no copy has, each with the reason. */
const notCopied: Record<string, string> = {
  "private.attempts": "they end within a day",
  "private.claim_code": "each start makes a new one",
  "public.inbox_deletions": "only its updates matter",
};

test("each table of the catalog is copied, or there is a reason why not", async () => {
  const tables = await database.sql<{ name: string }>`
    select nspname || '.' || relname as name
    from pg_class join pg_namespace n on n.oid = relnamespace
    where relkind in ('r', 'p') and nspname in ('public', 'private')`;
  const known = new Set([...siteTables, ...Object.keys(notCopied)]);
  // A table that was dropped keeps its line.
  expect(tables.filter(({ name }) => !known.has(name))).toEqual([]);
});

test("a copied table has no numbered column, whose next number no copy would keep", async () => {
  const numbered = await database.sql<{ name: string }>`
    select attrelid::regclass || '.' || attname as name
    from pg_attribute join pg_class c on c.oid = attrelid join pg_namespace n on n.oid = relnamespace
    where attidentity <> '' and nspname || '.' || relname = any (${siteTables})`;
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

// If this fails after a new migration, run npm run types.
test("database.types.ts matches the catalog", async () => {
  const types = await databaseTypes(database.sql);
  await expect(types).toMatchFileSnapshot("../../supabase/database.types.ts");
});
