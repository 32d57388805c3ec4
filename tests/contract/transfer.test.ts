import { copyFile, mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { createClient } from "@supabase/supabase-js";
import { TOTP } from "otpauth";
import { expect, onTestFinished, test } from "vitest";
import { openPostgres } from "#embedded/engine/open-postgres.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { exportRows } from "#supabase/transfer/export.ts";
import { importRows } from "#supabase/transfer/import.ts";
import { runCommand } from "#tests/support/command.ts";
import { type TestServer, startTestServer } from "#tests/support/embedded-server.ts";
import { silentLog } from "#tests/support/log.ts";
import { prove } from "#tests/support/prove.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
const account = { email: "owner@example.com", password: "a long password" };
const newClient = (server: TestServer) =>
  createClient(server.url, server.publishableKey, { auth: { persistSession: false } });

async function startServer(name: string): Promise<TestServer> {
  const server = await startTestServer({ dataDir: join(folder.path, name) });
  onTestFinished(() => server.close());
  return server;
}

/** Connects as the commands do. */
async function openSql(server: TestServer) {
  const database = await openPostgres(server.dataDir, silentLog);
  const sql = connectAsSuperuser(database, "postgres");
  onTestFinished(() => sql.end());
  return sql;
}

/** A server whose owner has a second factor, with two messages of a year ago. */
async function startOldServer() {
  const server = await startServer("old");
  const client = newClient(server);
  const { data: user } = await client.auth.signUp(account);
  await prove(server, user.session?.access_token ?? "");
  const { data: enrolled } = await client.auth.mfa.enroll({ factorType: "totp" });
  const { id: factorId = "", totp } = enrolled ?? {};
  const secret = totp?.secret ?? "";
  const code = new TOTP({ secret }).generate();
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  const sql = await openSql(server);
  await sql`insert into private.site_owner (user_id) values (${user.user?.id ?? ""})`;
  await sql`
    insert into public.contact_messages (name, email, message, created_at, spam_signs, phone) values
      ('سارة', 'sara@example.com', ${"سطر\nوآخر 'بعلامات' \\ \""}, '2025-01-02T03:04:05.678901Z', null, '966501234567'),
      ('Spam', 'spam@example.com', 'Buy', '2025-02-02T03:04:05Z', array['trap'], null)`;
  await sql`
    update public.contact_messages
    set phone = '966501234567', accepted_signs = array['links'], note = 'ملاحظة', answered_at = '2025-01-03T00:00:00.000001Z',
      archived_at = '2025-01-04T00:00:00Z', deleted_at = '2025-01-05T00:00:00Z'
    where name = 'سارة'`;
  return { server, sql, secret };
}

const messages = (sql: Awaited<ReturnType<typeof openSql>>) =>
  sql`select *, created_at::text as moment from public.contact_messages order by created_at`;

test("accounts, the owner and messages with their dates move to another database", async () => {
  const { sql, secret } = await startOldServer();
  const file = join(folder.path, "export.jsonl");
  const env = { DATA_DIR: join(folder.path, "old") };
  const exported = await runCommand("export", env, { args: [file] });
  expect([exported.code, exported.errors]).toEqual([0, ""]);
  expect(exported.output).toContain("public.contact_messages: 2\n");
  expect(await readFile(file, "utf8")).not.toContain(secret);

  const target = await startServer("new");
  const targetEnv = { DATA_DIR: join(folder.path, "new") };
  const imported = await runCommand("import", targetEnv, { args: [file] });
  expect([imported.code, imported.errors]).toEqual([0, ""]);
  expect(imported.output).toContain("auth.users: 1 added, 0 left out");
  expect(imported.output).toContain("Second factors stay behind");
  const again = await runCommand("import", targetEnv, { args: [file] });
  expect(again.output).toContain("public.contact_messages: 0 added, 2 left out or there already");

  expect(await messages(await openSql(target))).toEqual(await messages(sql));
  const client = newClient(target);
  expect((await client.auth.signInWithPassword(account)).error).toBeNull();
  const { data: state } = await client.rpc("inbox_state");
  expect([state].flat()).toMatchObject([{ owner: "me", messages: 0, spam: 1, trash: 1 }]);
  const other = newClient(target);
  await other.auth.signUp({ email: "other@example.com", password: "a long password" });
  expect((await other.rpc("inbox_state")).data).toMatchObject({ may_read: false });
});

test("second factors and recovery codes move if the keys are the same", async () => {
  const { server, secret } = await startOldServer();
  const file = join(folder.path, "export.jsonl");
  await runCommand("export", { DATA_DIR: server.dataDir }, { args: [file] });
  const DATA_DIR = join(folder.path, "new");
  await mkdir(DATA_DIR, { mode: 0o700 });
  await copyFile(join(server.dataDir, "keys.json"), join(DATA_DIR, "keys.json"));
  const target = await startServer("new");
  const imported = await runCommand("import", { DATA_DIR }, { args: [file] });
  expect(imported.output).toContain("auth.mfa_factors: 1 added");
  expect(imported.output).not.toContain("stay behind");
  const client = newClient(target);
  const { data } = await client.auth.signInWithPassword(account);
  expect((await client.rpc("inbox_state")).data).toMatchObject({ may_read: false });
  const factorId = data.user?.factors?.[0]?.id ?? "";
  const code = new TOTP({ secret }).generate({ timestamp: Date.now() + 30_000 });
  expect((await client.auth.mfa.challengeAndVerify({ factorId, code })).error).toBeNull();
  expect((await client.rpc("inbox_state")).data).toMatchObject({
    may_read: true,
    spam: 1,
    trash: 1,
  });
});

const message = (id: string, row = {}) => ({
  table: "public.contact_messages",
  row: {
    id,
    name: "n",
    email: "a@b.co",
    message: id,
    created_at: "2025-01-01T00:00:00Z",
    ...row,
  },
});

test("an invalid file stops at its first invalid line, and the rows before it stay", async () => {
  const server = await startServer("new");
  const sql = await openSql(server);
  const file = join(folder.path, "wrong.jsonl");
  const header = { format: 1, time: "2026-11-21T00:00:00.000Z", keys: null, factors: 0 };
  const write = (...lines: unknown[]) =>
    writeFile(file, lines.map((line) => JSON.stringify(line)).join("\n"));
  const refused = async (sentence: RegExp) =>
    expect(importRows(sql, file, null)).rejects.toThrow(sentence);
  const id = crypto.randomUUID();

  await write();
  await refused(/line 1: not a line/);
  await write(header, { table: "auth.sessions", row: {} });
  await refused(/line 2: table/);
  await write(header, message(id, { name: "" }));
  await refused(/lines 2 to 2: .*name_is_one_plain_line/);
  await write(header, message(id, { 'id"); drop table x; --': 1, __proto__: 2 }));
  await importRows(sql, file, null);
  expect(await messages(sql)).toHaveLength(1);
  await writeFile(file, `${JSON.stringify(header)}\n${"x".repeat(400_000)}`);
  await refused(/line 2: longer than/);
});

test("an accepted message stays accepted, and an existing one stays unchanged", async () => {
  const { sql } = await startOldServer();
  const links = "http://a.co http://b.co http://c.co http://d.co of some length";
  const insert = () => sql`
    insert into public.contact_messages (name, email, message, spam_signs)
    values ('n', ${`${crypto.randomUUID()}@b.co`}, ${links}, null) returning id`;
  await insert();
  const [second] = await insert();
  const id = String(second?.["id"]);
  const isSpam = async () => (await messages(sql)).find((row) => row["id"] === id)?.["spam_signs"];
  expect(await isSpam()).toEqual(["links", "repeat"]);
  await sql`update public.contact_messages set spam_signs = null where id = ${id}`;
  const file = join(folder.path, "export.jsonl");
  await exportRows(sql, file, null);
  await sql`delete from public.contact_messages where id = ${id}`;
  const { counts } = await importRows(sql, file, null);
  expect(counts.get("public.contact_messages")).toEqual({ added: 1, skipped: 3 });
  expect(await isSpam()).toBeNull();
  await sql`update public.contact_messages set spam_signs = array['trap'] where id = ${id}`;
  await importRows(sql, file, null);
  expect(await isSpam()).toEqual(["trap"]);
});
