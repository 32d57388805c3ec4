import { join } from "node:path";
import { expect, test } from "vitest";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { runCommand } from "#tests/support/command.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
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
