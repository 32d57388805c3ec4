import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Sql } from "embedded-supabase/testing";
import { afterAll, expect, test } from "vitest";
import { listedFunctions } from "#app/supabase-calls.ts";
import { migrationsDir } from "#tests/support/cluster-template.ts";
import { startTestDatabase } from "#tests/support/database.ts";

// What PostgREST does in a hosted Supabase: it sets the caller, and then calls the function.
const database = await startTestDatabase();
afterAll(() => database.close());
const secret = "a secret of a site";
await database.sql`insert into private.trusted_site values (sha256(${secret}))`;

const undone = new Error("undone");

interface Request {
  role?: string;
  path: string;
  secret?: string;
}

/** What a request is answered before PostgREST plans it: "passes" or its SQLSTATE. */
async function ask(sql: Sql, { role = "anon", path, secret: given }: Request): Promise<string> {
  const headers = JSON.stringify(given === undefined ? {} : { "x-site-secret": given });
  await sql`savepoint request`;
  await sql`select set_config('role', ${role}, true),
    set_config('request.jwt.claims', ${JSON.stringify({ role })}, true),
    set_config('request.path', ${path}, true), set_config('request.headers', ${headers}, true)`;
  const answer = await sql`select private.check_request()`.then(
    () => "passes",
    (error: { code: string }) => error.code,
  );
  await sql`rollback to savepoint request`;
  return answer;
}

/** Runs in a transaction of the superuser, who may take every role, and undoes it. */
async function inTransaction(run: (sql: Sql) => Promise<void>): Promise<void> {
  await database.superuser
    .begin(async (sql) => {
      await run(sql);
      throw undone;
    })
    .catch((error: unknown) => {
      if (error !== undone) {
        throw error;
      }
    });
}

const asked = (requests: Request[]) => {
  const answers: [string, string][] = [];
  return inTransaction(async (sql) => {
    for (const request of requests) {
      answers.push([request.path, await ask(sql, request)]);
    }
  }).then(() => answers);
};

const paths = [
  ...["contact_messages", "inbox_deletions"].map((table) => `/${table}`),
  ...listedFunctions.filter((name) => name !== "is_trusted_site").map((name) => `/rpc/${name}`),
];
const all = (answer: string) => paths.map((path) => [path, answer]);

test("strangers with the publishable key reach nothing of the site", async () => {
  expect(paths.length).toBeGreaterThan(30);
  for (const role of ["anon", "authenticated"]) {
    expect(await asked(paths.map((path) => ({ role, path })))).toEqual(all("PT403"));
    const guessed = paths.map((path) => ({ role, path, secret: "a guess" }));
    expect(await asked(guessed)).toEqual(all("PT403"));
  }
});

test.each([
  "/%63ontact_messages",
  "/contact%5Fmessages",
  "/contact%5fmessages",
  "//contact_messages",
  "/contact_messages/",
  "/rpc/%74ake_notifications",
  "/%72pc/take_notifications",
  "/rpc%2Ftake_notifications",
  "/rpc//take_notifications",
])("also by the path %s", async (path) => {
  expect(await asked([{ path }])).toEqual([[path, "PT403"]]);
});

test("the site reaches all of it, for visitors, accounts and itself", async () => {
  for (const role of ["anon", "authenticated"]) {
    expect(await asked(paths.map((path) => ({ role, path, secret })))).toEqual(all("passes"));
  }
  expect(await asked(paths.map((path) => ({ role: "service_role", path })))).toEqual(all("passes"));
});

test("other paths of the project are left alone", async () => {
  await inTransaction(async (sql) => {
    await sql.script("create function public.own_function() returns text return 'x'");
    for (const path of [
      "/",
      "",
      "/rpc/is_trusted_site",
      "/rpc/own_function",
      "/own_table",
      "/contact_messages_of_mine",
      "/rpc/take_notifications_2",
      "/%D8%B1%D8%B3%D8%A7%D8%A6%D9%84",
      "/%",
    ]) {
      expect([path, await ask(sql, { path })]).toEqual([path, "passes"]);
    }
  });
});

test("a secret itself is no hash of one", async () => {
  const insert = database.sql`insert into private.trusted_site values (${Buffer.from(secret)})`;
  await expect(insert).rejects.toMatchObject({ code: "23514" });
});

test("while no site is known, none is kept out", async () => {
  await inTransaction(async (sql) => {
    await sql`delete from private.trusted_site`;
    expect(await ask(sql, { path: "/contact_messages" })).toBe("passes");
  });
});

test("the function that the project had before runs first, and PostgREST is told of this one", async () => {
  const file = join(migrationsDir, "20261122000900_pre_request.sql");
  const migration = await readFile(file, "utf8");
  await inTransaction(async (sql) => {
    await sql.script(`
      drop function private.check_request, private.former_pre_request, private.is_site_path,
        private.readable_path;
      create function public.former() returns void language plpgsql as $$
      begin
        if current_setting('request.path') = '/closed' then
          raise sqlstate 'PT418' using message = current_user;
        end if;
      end $$;
      alter role authenticator set pgrst.db_pre_request = 'public.former';
      ${migration};`);
    expect([
      await ask(sql, { path: "/closed" }),
      await ask(sql, { path: "/open" }),
      await ask(sql, { path: "/contact_messages" }),
    ]).toEqual(["PT418", "passes", "PT403"]);
    const [row] = await sql`select rolconfig from pg_roles where rolname = 'authenticator'`;
    expect(row?.["rolconfig"]).toContain("pgrst.db_pre_request=private.check_request");
  });
});
