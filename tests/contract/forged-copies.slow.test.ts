import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { connect } from "#app/server/commands/own-database.ts";
import { readCopy, writeCopy } from "#app/server/commands/transfer/format.ts";
import { load } from "#app/server/commands/transfer/load.ts";
import { signUp } from "#tests/support/auth-server.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { keptRows } from "#tests/support/filled-database.ts";
import { hostedEnv } from "#tests/support/hosted-env.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

// These copies have the right sums, but rows that no site wrote.
const folder = useFolder();
let target: TestServer;
beforeAll(async () => {
  target = await startTestServer();
});
afterAll(() => target.close());

interface Row {
  table: string;
  json: string;
}

/** Writes a copy with these rows. */
async function forge(
  rows: Row[],
  { migration = "20261122000000", version = "2.0.0" } = {},
): Promise<string> {
  const file = join(folder.path, crypto.randomUUID());
  async function* batches() {
    for (const { table, json } of rows) {
      yield { table, rows: [json] };
    }
  }
  const time = new Date().toISOString();
  const header = { format: 2, version, migration, time, keys: "", rows: rows.length } as const;
  await writeCopy(file, undefined, { header, keys: undefined, batches: batches() });
  return file;
}

/** Restores rows as a command does beside a hosted Supabase. Returns its lines. */
async function restore(...forged: Parameters<typeof forge>): Promise<string> {
  const { SUPABASE_DB_URL } = await hostedEnv(target);
  const client = await connect({ connectionString: SUPABASE_DB_URL });
  const copy = await readCopy(await forge(...forged), undefined);
  const keys = { keys: "", isEmbedded: false };
  return load(client, copy, keys)
    .then((lines) => lines.join("\n"))
    .finally(() => client.end());
}

const table = "public.contact_messages";
const message = (fields: object) => ({
  table,
  json: JSON.stringify({
    name: "n",
    email: "a@b.co",
    message: "m",
    created_at: "2026-11-21",
    ...fields,
  }),
});

test("a row that cannot be stored is refused by its line, and nothing is written", async () => {
  const before = await keptRows(target.dataDir);
  const many = Array.from({ length: 1001 }, (_, index) => [`column${index}`, 1]);
  for (const [row, fault] of [
    [{ table, json: "{what}" }, /JSON/],
    [message({ name: "" }), /name_is_one_plain_line/],
    [message({ created_at: "infinity" }), /created_at_is_a_date/],
    [message({ created_at: "10000-01-01" }), /created_at_is_a_date/],
    [message({ created_at: "0001-01-01 BC" }), /created_at_is_a_date/],
    [message({ id: "no id" }), /invalid input syntax for type uuid/],
    [message(Object.fromEntries(many)), /rows for too many unknown tables and columns/],
  ] as const) {
    const refusal = restore([message({}), message({ message: "2" }), row]);
    await expect(refusal).rejects.toThrow(/, from line \d on: /);
    await expect(refusal).rejects.toThrow(fault);
  }
  await expect(restore([], { migration: "20991231000000" })).rejects.toThrow(
    /made by a newer version of the site/,
  );
  expect(await keptRows(target.dataDir)).toEqual(before);
});

test("no text of a file is executed by the terminal that shows it, or looks like a line of the command", async () => {
  const evil = "\u001B]0;evil\u0007\u009B2J\r\nFAKE: restored";
  const user = { id: crypto.randomUUID(), email: `${evil}@example.com` };
  const json = JSON.stringify({ id: crypto.randomUUID(), user_id: user.id });
  for (const copy of [
    forge([message({ id: evil })]),
    forge([
      // A table's name cannot have a line of its own: the file has one row a line.
      { table: evil.replace("\n", ""), json: "{}" },
      { table: "auth.users", json: JSON.stringify({ ...user, [evil]: 1 }) },
      { table: "auth.mfa_factors", json },
    ]),
  ]) {
    const { output, errors } = await runCommand("restore", await hostedEnv(target), {
      args: [await copy],
    });
    expect(output + errors).toMatch(/evil/);
    expect(output + errors).not.toMatch(/[\p{Cc}--\n]|^FAKE/mv);
  }
});

test("an inbox whose owner has no account in the file is closed", async () => {
  await withSuperuser(target.dataDir, (sql) => sql`delete from auth.users`);
  const owner = { table: "private.site_owner", json: `{"user_id":"${crypto.randomUUID()}"}` };
  expect(await restore([owner])).toBe("private.site_owner: 1 of 1 rows restored");
  const { client } = await signUp(target, "stranger@example.com");
  const { data } = await client.rpc("inbox_state");
  expect(data).toMatchObject({ owner: "other", may_read: false });
});

test("an account gets the rights of every other one, what has no place here is counted and named, and new columns take their defaults", async () => {
  await withSuperuser(target.dataDir, async (sql) => {
    await sql`delete from auth.users`;
    await sql`alter table public.contact_messages add column mood text not null default 'calm'`;
  });
  const account = { email: "admin@example.com", aud: "service_role", role: "service_role" };
  const strange = { fax: "123", __proto__: 1, 'id"); drop table x; --': 1 };
  const lines = await restore([
    { table: "auth.users", json: JSON.stringify({ id: crypto.randomUUID(), ...account }) },
    { table: "private.visits", json: '{"a":1}' },
    { table: "__proto__", json: "{}" },
    { table: "pg_catalog.pg_authid", json: '{"rolname":"evil","rolsuper":true}' },
    message({ id: crypto.randomUUID(), ...strange }),
    message({ id: crypto.randomUUID(), fax: "456" }),
  ]);
  for (const [what, rows] of [
    ["private.visits", 1],
    ["__proto__", 1],
    ["pg_catalog.pg_authid", 1],
    [`${table}.fax`, 2],
  ] as const) {
    expect(lines).toContain(`Left out: ${what}, which this version does not have (${rows} rows)`);
  }
  expect(lines).toContain("public.contact_messages: 2 of 2 rows restored");
  await withSuperuser(target.dataDir, async (sql) => {
    const rights = { aud: "authenticated", role: "authenticated" };
    expect(await sql`select aud, role from auth.users`).toEqual([rights]);
    const calm = { mood: "calm" };
    expect(await sql`select mood from public.contact_messages`).toEqual([calm, calm]);
    expect(await sql`select from pg_roles where rolname = 'evil'`).toEqual([]);
  });
});
