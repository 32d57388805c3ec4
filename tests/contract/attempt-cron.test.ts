import { readFile } from "node:fs/promises";
import { afterAll, beforeAll, expect, test } from "vitest";
import { migrationsDir } from "#tests/support/cluster-template.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database.close());

// The embedded PostgreSQL has no pg_cron. Its function has this signature
// (citusdata/pg_cron, pg_cron--1.4.sql).
const cron = `
  create schema cron;
  create table cron.job (jobname text, schedule text, command text);
  create function cron.schedule(job_name text, schedule text, command text) returns bigint
  language sql as 'insert into cron.job values ($1, $2, $3); select 1::bigint';`;

test("a project with pg_cron deletes expired attempts with a job", async () => {
  const { sql } = database;
  const limits = await readFile(`${migrationsDir}/20261122000000_limits.sql`, "utf8");
  const [schedule = ""] = /^do \$\$.*?^\$\$;/ms.exec(limits) ?? [];
  await sql.script(cron);
  await sql.script(schedule);
  const jobs = await sql`select * from cron.job`;
  expect(jobs).toHaveLength(1);
  await sql`
    insert into private.attempts (name, subject, points, expires_at)
    values ('mail', 'old', 1, now() - interval '1 hour'), ('mail', 'new', 1, now() + interval '1 hour')`;
  await sql.script(jobs[0]?.["command"]);
  expect(await sql`select subject from private.attempts`).toEqual([{ subject: "new" }]);
});
