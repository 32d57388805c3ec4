import { join } from "node:path";
import { beforeAll, expect, onTestFinished, test } from "vitest";
import { newClient, password, signUp } from "#tests/support/auth-server.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { deleteOwner, fill, keptRows, ownerEmail } from "#tests/support/filled-database.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { hostedEnv } from "#tests/support/hosted-env.ts";
import { withSuperuser } from "#tests/support/superuser.ts";
import { plainUrl, startPlainDatabase } from "./plain-database.ts";

let BACKUP_DIR: string;
// The backup of a filled database, and its rows.
let backup: string;
let filled: Awaited<ReturnType<typeof keptRows>>;
// The same backup, made after the owner deleted the account.
let ownerless: typeof filled;
let ownerlessBackup: string;
beforeAll(async () => {
  const folder = await tempFolder();
  BACKUP_DIR = join(folder.path, "backups");
  const server = await startTestServer();
  await fill(server);
  filled = await keptRows(server.dataDir);
  backup = await backUp({ DATA_DIR: server.dataDir });
  await deleteOwner(server.dataDir);
  ownerless = await keptRows(server.dataDir);
  ownerlessBackup = await backUp({ DATA_DIR: server.dataDir });
  await server.close();
  return () => folder[Symbol.asyncDispose]();
});

/** Makes a backup. Returns its path. */
async function backUp(env: Record<string, string>): Promise<string> {
  const { errors, output } = await runCommand("backup", { ...env, BACKUP_DIR });
  expect(errors).toBe("");
  return /^\S+/.exec(output)?.[0] ?? "";
}

async function startTarget(): Promise<TestServer> {
  const server = await startTestServer();
  onTestFinished(() => server.close());
  return server;
}

const restore = (env: Record<string, string>, file = backup) =>
  runCommand("restore", env, { args: [file] });

/** What moves to another project, as `keptRows` names it. */
const settings = ["private.retention", "private.limits", "private.counting", "private.counts"];
const people = ["auth.users", "auth.identities", "private.site_owner"];
const messages = ["public.contact_messages", "private.notifications", "counted"];
const moved = [...settings, ...people, ...messages];

test("accounts, the owner, messages and settings move to an empty hosted Supabase, and to no other", async () => {
  const target = await startTarget();
  const env = await hostedEnv(target);
  const first = await restore(env);
  expect([first.code, first.errors]).toEqual([0, ""]);
  expect(first.output).toContain("Start the site again if it runs.");
  expect(first.output).toContain("auth.users: 2 of 2 rows restored");
  expect(first.output).toContain("Left out: auth.sessions, which other keys encrypt (2 rows)");
  expect(first.output).toMatch(
    /A second factor .*have none until they add one: owner@example\.com\.\n/,
  );
  expect(first.output).not.toContain("passwords");
  const rows = await keptRows(target.dataDir);
  expect(moved.map((name) => rows[name])).toEqual(moved.map((name) => filled[name]));
  // The restored row opens no session.
  const sealed = ["auth.sessions", "auth.mfa_factors"];
  expect(sealed.flatMap((name) => rows[name])).toEqual([]);
  const client = newClient(target);
  expect((await client.auth.signInWithPassword({ email: ownerEmail, password })).error).toBeNull();
  expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me", trash: 1 });

  const before = await keptRows(target.dataDir);
  const again = await restore(env);
  expect([again.code, again.errors]).toEqual([1, expect.stringContaining("is in use")]);
  expect(await keptRows(target.dataDir)).toEqual(before);
});

test("a database with a single message or account is in use, and an inbox that lost its owner is as closed where it is restored", async () => {
  const target = await startTarget();
  const env = await hostedEnv(target);
  const run = (statement: string) => withSuperuser(target.dataDir, (sql) => sql.script(statement));
  for (const [row, table] of [
    [
      "public.contact_messages (name, email, message) values ('n', 'a@b.co', 'here')",
      "public.contact_messages",
    ],
    ["auth.users (id, email) values (gen_random_uuid(), 'a@b.co')", "auth.users"],
  ]) {
    await run(`insert into ${row}`);
    expect((await restore(env)).errors).toContain("is in use");
    await run(`delete from ${table}`);
  }
  const { output } = await restore(env, ownerlessBackup);
  expect(output).toContain("private.site_owner: 1 of 1 rows restored");
  const rows = await keptRows(target.dataDir);
  expect(moved.map((name) => rows[name])).toEqual(moved.map((name) => ownerless[name]));
  const { client } = await signUp(target, "stranger@example.com");
  const { data } = await client.rpc("inbox_state");
  expect(data).toMatchObject({ owner: "other", may_read: false });
});

test("a hosted project's backup gives factors back to that project alone", async () => {
  const source = await startTestServer();
  await fill(source);
  // A hosted account can make it this long: GoTrue copies it to the identity.
  await withSuperuser(source.dataDir, async (sql) => {
    await sql`update auth.users set raw_user_meta_data = jsonb_build_object('a', repeat('x', 3000000))`;
    await sql`
      update auth.identities set identity_data = identity_data || u.raw_user_meta_data
      from auth.users u where u.id = user_id`;
    // There is no list, as where psql ran the migrations: the limits are still this version's.
    await sql`drop table supabase_migrations.schema_migrations`;
  });
  const env = await hostedEnv(source);
  const file = await backUp(env);
  const DATA_DIR = join(BACKUP_DIR, "..", crypto.randomUUID());
  const { errors, output } = await restore({ DATA_DIR }, file);
  expect(errors).toBe("");
  expect(output).toMatch(/private\.limits: (\d+) of \1 rows restored\n/);
  expect(output).toMatch(/have none until they add one: owner@example\.com\.\n/);
  expect(output).toMatch(/passwords of these accounts do not work here.*: second@example\.com\.\n/);
  const elsewhere = await startTestServer({ dataDir: DATA_DIR });
  const { "auth.identities": identities } = await keptRows(DATA_DIR);
  await elsewhere.close();
  expect(identities?.filter((row) => row.includes(`"email": "${ownerEmail}"`))).toHaveLength(1);

  await withSuperuser(source.dataDir, async (sql) => {
    await sql`delete from public.contact_messages`;
    await sql`delete from auth.users`;
  });
  const back = await restore(env, file);
  expect([back.errors, back.output]).toEqual(["", expect.not.stringContaining("Second factors")]);
  expect(back.output).toContain("auth.mfa_factors: 1 of 1 rows restored");
  await source.close();
});

if (!plainUrl) {
  console.info("Skipped: rows that move to a plain PostgreSQL and back need one at DATABASE_URL.");
}

test.skipIf(!plainUrl)("rows move to a plain PostgreSQL and back", async () => {
  const plain = await startPlainDatabase(plainUrl ?? "");
  onTestFinished(() => plain.close());
  const env = { SUPABASE_URL: "https://plain.example", SUPABASE_DB_URL: plain.url };
  const there = await restore(env);
  expect([there.errors, there.output]).toEqual(["", expect.stringContaining("users: 2 of 2")]);
  const target = await startTarget();
  expect((await restore(await hostedEnv(target), await backUp(env))).errors).toBe("");
  const rows = await keptRows(target.dataDir);
  expect(moved.map((name) => rows[name])).toEqual(moved.map((name) => filled[name]));
});
