import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { newClient, password } from "#tests/support/auth-server.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { fill, keptRows, ownerEmail } from "#tests/support/filled-database.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { plainUrl, startPlainDatabase } from "#tests/support/plain-database.ts";
import { databaseUrl, withSuperuser } from "#tests/support/superuser.ts";

// The file that a filled database was exported to, and its rows.
let exported: string;
let filled: Awaited<ReturnType<typeof keptRows>>;
let printed: Awaited<ReturnType<typeof runCommand>>;
beforeAll(async () => {
  const folder = await tempFolder();
  const server = await startTestServer();
  await fill(server);
  filled = await keptRows(server.dataDir);
  exported = join(folder.path, "export");
  printed = await runCommand("export", { DATA_DIR: server.dataDir }, { args: [exported] });
  await server.close();
  return () => folder[Symbol.asyncDispose]();
}, 120_000);

async function startTarget(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

const importInto = (server: TestServer, file = exported) =>
  runCommand("import", { DATA_DIR: server.dataDir }, { args: [file] });

/** What moves, as `keptRows` names it. */
const settings = ["private.retention", "private.limits", "private.counting", "private.counts"];
const people = ["auth.users", "auth.identities", "private.site_owner"];
const moved = [...settings, ...people, "contact_messages", "private.changes", "counted"];

test("accounts, the owner, messages and settings move to another database, whose own rows stay", async () => {
  expect([printed.code, printed.errors]).toEqual([0, ""]);
  expect(printed.output).toContain("public.contact_messages: 6\n");
  const target = await startTarget();
  const first = await importInto(target);
  expect([first.code, first.errors]).toEqual([0, ""]);
  expect(first.output).toContain("auth.users: 2 added, 0 left out");
  expect(first.output).toMatch(
    /Second factors .* stay behind.*these have none: owner@example.com\.\n/,
  );
  const again = await importInto(target);
  expect(again.output).toContain("public.contact_messages: 0 added, 6 left out or there already");

  const rows = await keptRows(target.dataDir);
  expect(moved.map((name) => rows[name])).toEqual(moved.map((name) => filled[name]));
  // It notifies of no message, and opens no session.
  const sessions = ["auth.sessions", "private.notifications"];
  expect([...sessions, "auth.mfa_factors"].flatMap((name) => rows[name])).toEqual([]);
  const client = newClient(target);
  expect((await client.auth.signInWithPassword({ email: ownerEmail, password })).error).toBeNull();
  expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me", trash: 1 });
}, 120_000);

test("an inbox in use keeps its settings, and rows without their account are left out", async () => {
  const target = await startTarget();
  await withSuperuser(target.dataDir, async (sql) => {
    await sql`insert into public.contact_messages (name, email, message) values ('n', 'a@b.co', 'here')`;
    await sql`update private.retention set months = 3`;
  });
  await newClient(target).auth.signUp({ email: ownerEmail, password });
  const { errors, output } = await importInto(target);
  expect([errors, output]).toEqual(["", expect.stringContaining("private.site_owner: 0 added, 1")]);
  const rows = await keptRows(target.dataDir);
  expect(rows["private.retention"]).toEqual([expect.stringContaining('"months": 3')]);
  expect(rows["contact_messages"]).toHaveLength(7);
});

test("a hosted project's backup gives factors back to that project alone", async () => {
  const source = await startTestServer();
  await fill(source);
  // As long as a hosted account can make it: GoTrue copies it to the identity.
  await withSuperuser(source.dataDir, async (sql) => {
    await sql`update auth.users set raw_user_meta_data = jsonb_build_object('a', repeat('x', 3000000))`;
    await sql`
      update auth.identities set identity_data = identity_data || u.raw_user_meta_data
      from auth.users u where u.id = user_id`;
  });
  const env = {
    SUPABASE_URL: source.url,
    SUPABASE_PUBLISHABLE_KEY: source.publishableKey,
    SITE_SECRET: "x".repeat(32),
    SUPABASE_DB_URL: await databaseUrl(source.dataDir),
  };
  const file = join(source.dataDir, "hosted");
  expect((await runCommand("export", env, { args: [file] })).errors).toBe("");
  const elsewhere = await startTarget();
  const { output } = await importInto(elsewhere, file);
  const { "auth.identities": identities } = await keptRows(elsewhere.dataDir);
  expect(identities?.filter((row) => row.includes(`"email": "${ownerEmail}"`))).toHaveLength(1);
  expect(output).toMatch(/these have none: owner@example.com\.\n/);
  await withSuperuser(source.dataDir, (sql) => sql`delete from auth.mfa_factors`);
  const back = await runCommand("import", env, { args: [file] });
  expect([back.errors, back.output]).toEqual(["", expect.not.stringContaining("stay behind")]);
  expect(back.output).toContain("auth.mfa_factors: 1 added");
  await source.close();
}, 120_000);

if (!plainUrl) {
  console.info("Skipped: rows that move to a plain PostgreSQL and back need one at DATABASE_URL.");
}

test.skipIf(!plainUrl)(
  "rows move to a plain PostgreSQL and back",
  async () => {
    const plain = await startPlainDatabase(plainUrl ?? "");
    onTestFinished(() => plain.close());
    const env = { SUPABASE_URL: "https://plain.example", SUPABASE_DB_URL: plain.url };
    const there = await runCommand("import", env, { args: [exported] });
    expect([there.errors, there.output]).toEqual(["", expect.stringContaining("users: 2 added")]);
    const back = `${exported}.back`;
    expect((await runCommand("export", env, { args: [back] })).errors).toBe("");
    const target = await startTarget();
    expect((await importInto(target, back)).errors).toBe("");
    const rows = await keptRows(target.dataDir);
    expect(moved.map((name) => rows[name])).toEqual(moved.map((name) => filled[name]));
  },
  60_000,
);
