import { join } from "node:path";
import type { SqlPool } from "embedded-supabase/testing";
import { expect, onTestFinished, test } from "vitest";
import { writeCopy } from "#app/server/commands/transfer/format.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { keptRows } from "#tests/support/filled-database.ts";
import { hostedEnv } from "#tests/support/hosted-env.ts";
import { openSuperuser } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

// Copies whose sums are right, and whose rows no site wrote.
const folder = useFolder();

async function startTarget(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

/** Restores a file into the database of a server, as into a hosted one. */
const restoreInto = async (server: TestServer, file: string) =>
  runCommand("restore", await hostedEnv(server), { args: [file] });

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
  const header = {
    format: 2,
    version,
    migration,
    time,
    keys: "",
    rows: rows.length,
  } as const;
  await writeCopy(file, undefined, { header, keys: undefined, batches: batches() });
  return file;
}

const message = (fields: object) => ({
  table: "public.contact_messages",
  json: JSON.stringify({
    name: "n",
    email: "a@b.co",
    message: "m",
    created_at: "2026-11-21",
    ...fields,
  }),
});

test("a row that cannot be stored is refused by its line, and nothing is written", async () => {
  const target = await startTarget();
  const sql = await openSuperuser(target.dataDir);
  onTestFinished(() => sql.end());
  const before = await keptRows(target.dataDir);
  const said = async (row: Row) => {
    const file = await forge([message({}), message({ message: "2" }), row]);
    const { code, errors } = await restoreInto(target, file);
    expect([code, await keptRows(target.dataDir)]).toEqual([1, before]);
    return errors.replace(/^\S+, from line \d on: /, "").trim();
  };
  const table = "public.contact_messages";
  expect(await said({ table, json: "{what}" })).toMatch(/JSON/);
  expect(await said(message({ name: "" }))).toMatch(/name_is_one_plain_line/);
  for (const moment of ["infinity", "10000-01-01", "0001-01-01 BC"]) {
    expect(await said(message({ created_at: moment }))).toMatch(/created_at_is_a_date/);
  }
  expect(await said(message({ id: "no id" }))).toMatch(/invalid input syntax for type uuid/);
  const file = await forge([], { migration: "20991231000000" });
  expect((await restoreInto(target, file)).errors).toMatch(/made by a newer version of the site/);
});

test("no text of a file is executed by the terminal that shows it", async () => {
  const target = await startTarget();
  const evil = "\u001B]0;evil\u0007\u009B2J\r";
  const user = { id: crypto.randomUUID(), email: `${evil}@example.com` };
  const json = JSON.stringify({ id: crypto.randomUUID(), user_id: user.id });
  for (const copy of [
    forge([message({ id: evil })]),
    forge([], { migration: "20991231000000", version: evil }),
    forge([
      { table: evil, json: "{}" },
      { table: "public.contact_messages", json: JSON.stringify({ [evil]: 1 }) },
    ]),
    forge([
      { table: evil, json: "{}" },
      { table: "auth.users", json: JSON.stringify({ ...user, [evil]: 1 }) },
      { table: "auth.mfa_factors", json },
    ]),
  ]) {
    const { output, errors } = await restoreInto(target, await copy);
    expect(output + errors).toMatch(/evil/);
    expect(output + errors).not.toMatch(/[\p{Cc}--\n]/v);
  }
});

test("an account of a file gets the rights of every other one", async () => {
  const target = await startTarget();
  const sql = await openSuperuser(target.dataDir);
  onTestFinished(() => sql.end());
  const account = { email: "admin@example.com", aud: "service_role", role: "service_role" };
  const json = JSON.stringify({ id: crypto.randomUUID(), ...account });
  const { errors } = await restoreInto(target, await forge([{ table: "auth.users", json }]));
  expect(errors).toBe("");
  const rights = { aud: "authenticated", role: "authenticated" };
  expect(await sql`select aud, role from auth.users`).toEqual([rights]);
});

test("what has no table or column here is counted and named, and new columns take their defaults", async () => {
  const target = await startTarget();
  const sql: SqlPool = await openSuperuser(target.dataDir);
  onTestFinished(() => sql.end());
  await sql`alter table public.contact_messages add column mood text not null default 'calm'`;
  const strange = { fax: "123", __proto__: 1, 'id"); drop table x; --': 1 };
  const file = await forge([
    { table: "private.visits", json: '{"a":1}' },
    { table: "__proto__", json: "{}" },
    { table: "pg_catalog.pg_authid", json: '{"rolname":"evil","rolsuper":true}' },
    message({ id: crypto.randomUUID(), ...strange }),
    message({ id: crypto.randomUUID(), fax: "456" }),
  ]);
  const { errors, output } = await restoreInto(target, file);
  expect(errors).toBe("");
  const missing = "which this version does not have";
  expect(output).toContain(`Left out: private.visits, ${missing} (1 rows)`);
  expect(output).toContain(`Left out: __proto__, ${missing} (1 rows)`);
  expect(output).toContain(`Left out: pg_catalog.pg_authid, ${missing} (1 rows)`);
  expect(output).toContain(`Left out: public.contact_messages.fax, ${missing} (2 rows)`);
  expect(output).toContain("public.contact_messages: 2 of 2 rows restored");
  expect(await sql`select mood from public.contact_messages`).toEqual([
    { mood: "calm" },
    { mood: "calm" },
  ]);
  expect(await sql`select from pg_roles where rolname = 'evil'`).toEqual([]);
});

test("a file of kinds without an end is refused", async () => {
  const many = Array.from({ length: 1001 }, (_, index) => [`column${index}`, 1]);
  const file = await forge([message(Object.fromEntries(many))]);
  const { code, errors } = await restoreInto(await startTarget(), file);
  expect([code, errors]).toEqual([1, expect.stringContaining("too much that has no place here")]);
});
