import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { isSignedOut, newClient, password, signUp } from "#tests/support/auth-server.ts";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { fill, ownerEmail } from "#tests/support/filled-database.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
const sql = (input: string) =>
  runCommand("sql", { DATA_DIR: join(folder.path, "data") }, { input });

test("statements from standard input run with and without a running site", async () => {
  expect((await sql("select 1;")).errors).toBe(
    `DATA_DIR: There is no database in ${folder.path}/data yet. If your site has another folder, name it in .env or before the command.\n`,
  );
  const dataDir = join(folder.path, "data");
  await copyCluster(dataDir);
  const server = await startTestServer({ dataDir });
  const limit = await sql("select points from private.limits where name = 'message'");
  expect([limit.code, limit.output]).toEqual([0, '{"points":10}\n']);
  const both = await sql(
    "update private.limits set points = 11 where name = 'message'; select 1 a;",
  );
  expect([both.code, both.output]).toEqual([0, '{"a":1}\n']);
  expect(both.errors).toContain("UPDATE 1");
  const tables = (await sql(String.raw`\d`)).output.trim().split("\n");
  expect(tables.length).toBeGreaterThan(3);
  const reads = tables.map((line) => `select from ${JSON.parse(line).table};`);
  expect((await sql(reads.join("\n"))).errors.match(/^SELECT \d+$/gm)).toHaveLength(reads.length);
  // The role is that of hosted Supabase's SQL editor, not the superuser.
  const role = await sql("reset role; select current_user");
  expect(role.output).toBe('{"current_user":"postgres"}\n');
  expect((await sql("copy (select 1) to program 'true'")).errors).toContain("42501");
  const wrong = await sql("select wrong");
  expect([wrong.code, wrong.output]).toEqual([1, ""]);
  expect(wrong.errors).toBe('ERROR: column "wrong" does not exist (42703)\n');
  const quoted = await sql("select E'no\\nFAKE: id'::uuid");
  expect(quoted.errors).toMatch(/^ERROR: .*no\\u000aFAKE: id.*\n$/);
  await server.close();
  expect((await sql("select points from private.limits where name = 'message'")).output).toBe(
    '{"points":11}\n',
  );
});

test("the command of DEPLOY for lost authenticators removes them, and ends the account's sessions alone", async () => {
  const dataDir = join(folder.path, "data");
  await copyCluster(dataDir);
  const server = await startTestServer({ dataDir });
  onTestFinished(() => server.close());
  const thief = await fill(server);
  const other = await signUp(server, "other@example.com");
  expect(await isSignedOut(thief)).toBe(false);

  const deploy = await readFile(new URL("../../.github/DEPLOY.md", import.meta.url), "utf8");
  const [, statement = ""] = /<<'END'\n(do \$\$.*?auth\.mfa_factors.*?)END\n/s.exec(deploy) ?? [];
  const unknown = await sql(statement);
  expect([unknown.code, unknown.errors]).toEqual([1, "ERROR: query returned no rows (P0002)\n"]);
  const done = await sql(statement.replace("you@your.site", ownerEmail));
  expect([done.code, done.errors]).toEqual([0, "DO\n"]);

  expect(await isSignedOut(thief)).toBe(true);
  expect((await thief.rpc("read_inbox")).error).not.toBeNull();
  expect((await thief.auth.refreshSession()).error).not.toBeNull();
  expect(await isSignedOut(other.client)).toBe(false);
  const client = newClient(server);
  expect((await client.auth.signInWithPassword({ email: ownerEmail, password })).error).toBeNull();
  expect((await client.rpc("inbox_state")).data).toMatchObject({ owner: "me", may_read: true });
});
