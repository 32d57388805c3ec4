import { join } from "node:path";
import type { SqlPool } from "embedded-supabase/testing";
import { expect, onTestFinished, test } from "vitest";
import { writeCopy } from "#app/server/commands/transfer/format.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { keptRows } from "#tests/support/filled-database.ts";
import { openSuperuser } from "#tests/support/superuser.ts";
import { useFolder } from "#tests/support/use-folder.ts";

// Copies whose sums are right, and whose rows no site wrote.
const folder = useFolder();

async function startTarget(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

const importInto = (server: TestServer, file: string) =>
  runCommand("import", { DATA_DIR: server.dataDir }, { args: [file] });

interface Row {
  table: string;
  json: string;
}

/** Writes a copy with these rows. */
async function forge(
  rows: Row[],
  { migrations = [] as string[], version = "1.0.0" } = {},
): Promise<string> {
  const file = join(folder.path, crypto.randomUUID());
  async function* batches() {
    for (const { table, json } of rows) {
      yield { table, rows: [json] };
    }
  }
  const time = new Date().toISOString();
  const header = {
    format: 1,
    version,
    migrations,
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

test("a row that does not belong here is refused by its line, and nothing is written", async () => {
  const target = await startTarget();
  const sql = await openSuperuser(target.dataDir);
  onTestFinished(() => sql.end());
  const before = await keptRows(target.dataDir);
  const said = async (row: Row) => {
    const file = await forge([message({}), message({ message: "2" }), row]);
    const { code, errors } = await importInto(target, file);
    expect([code, await keptRows(target.dataDir)]).toEqual([1, before]);
    return errors.replace(/^\S+, from line \d on: /, "").trim();
  };
  const table = "public.contact_messages";
  expect(await said({ table: "auth.audit", json: "{}" })).toBe(
    '"auth.audit" is no table of this site.',
  );
  expect(await said({ table: "__proto__", json: "{}" })).toBe(
    '"__proto__" is no table of this site.',
  );
  expect(await said({ table, json: '{"__proto__":{"a":1}}' })).toBe(
    '"__proto__" is no column of public.contact_messages.',
  );
  expect(await said({ table, json: `{"id\\"); drop table x; --":1}` })).toMatch(/is no column of/);
  expect(await said({ table, json: "{what}" })).toMatch(/JSON/);
  expect(await said(message({ name: "" }))).toMatch(/name_is_one_plain_line/);
  for (const moment of ["infinity", "10000-01-01", "0001-01-01 BC"]) {
    expect(await said(message({ created_at: moment }))).toMatch(/created_at_is_a_date/);
  }
  expect(await said(message({ id: "no id" }))).toMatch(/invalid input syntax for type uuid/);
  const file = await forge([], { migrations: ["20991231000000"] });
  expect((await importInto(target, file)).errors).toMatch(/made by another version of the site/);
});

test("no text of a file is executed by the terminal that shows it", async () => {
  const target = await startTarget();
  const evil = "\u001B]0;evil\u0007\u009B2J\r";
  const user = { id: crypto.randomUUID(), email: `${evil}@example.com` };
  const json = JSON.stringify({ id: crypto.randomUUID(), user_id: user.id });
  for (const copy of [
    forge([{ table: evil, json: "{}" }]),
    forge([message({ [evil]: 1 })]),
    forge([message({ id: evil })]),
    forge([], { migrations: ["20991231000000"], version: evil }),
    forge([
      { table: "auth.users", json: JSON.stringify(user) },
      { table: "auth.mfa_factors", json },
    ]),
  ]) {
    const { output, errors } = await importInto(target, await copy);
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
  const { errors } = await importInto(target, await forge([{ table: "auth.users", json }]));
  expect(errors).toBe("");
  const rights = { aud: "authenticated", role: "authenticated" };
  expect(await sql`select aud, role from auth.users`).toEqual([rights]);
});

test("what a migration took away is left out by name, and new columns take their defaults", async () => {
  const target = await startTarget();
  const sql: SqlPool = await openSuperuser(target.dataDir);
  onTestFinished(() => sql.end());
  await sql`comment on schema private is 'Gone: private.visits, public.contact_messages.fax'`;
  await sql`alter table public.contact_messages add column mood text not null default 'calm'`;
  const old = { table: "private.visits", json: '{"a":1}' };
  const file = await forge([old, message({ id: crypto.randomUUID(), fax: "123" })]);
  const { errors, output } = await importInto(target, file);
  expect(errors).toBe("");
  expect(output).toContain("private.visits was left out: this version has it no more.");
  expect(output).toContain("public.contact_messages.fax was left out");
  expect(await sql`select mood from public.contact_messages`).toEqual([{ mood: "calm" }]);
});
