import { join } from "node:path";
import { expect, test } from "vitest";
import { startNotes } from "./support/notes-site.ts";
import { storeNote, storedNotes } from "./support/stored-notes.ts";
import { withSuperuser } from "./support/superuser.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();
const dataDir = () => join(folder.path, "data");

async function start(): Promise<void> {
  const site = await startNotes({ dataDir: dataDir() });
  await site.close();
}

/** The transactions that wrote what each start needs: roles, functions, triggers. */
async function writers(): Promise<unknown[]> {
  const site = await startNotes({ dataDir: dataDir() });
  const rows = await withSuperuser(
    dataDir(),
    (sql) => sql`
      select rolname as name, xmin::text from pg_authid where rolname !~ '^pg_'
      union all select proname, xmin::text from pg_proc where pronamespace in (select oid
        from pg_namespace where nspname in ('auth', 'embedded'))
      union all select tgname, xmin::text from pg_trigger where tgname like 'tell_%'
      union all select nspname, xmin::text from pg_namespace
      union all select datname, xmin::text from pg_database
      order by 1, 2`,
  );
  await site.close();
  return rows;
}

test("a start changes nothing that it finds in order, so that it also starts on a full disk", async () => {
  const made = await writers();
  expect(JSON.stringify(made)).toMatch(/"tell_insert".*"tell_update"/);
  expect(await writers()).toEqual(made);
}, 60_000);

test("a start after one of another version, which sets other passwords and only adds, is in order", async () => {
  await start();
  await storeNote(dataDir(), "kept");
  const site = await startNotes({ dataDir: dataDir() });
  await withSuperuser(dataDir(), (sql) =>
    sql.script(`
      alter table auth.users add column added text;
      create or replace function auth.email() returns text language sql as $$ select 'another' $$;
      alter role postgres password 'another';
      alter role authenticator password 'another'`),
  );
  await site.close();
  await start();
  expect(await storedNotes(dataDir())).toEqual(["kept"]);
  const again = await startNotes({ dataDir: dataDir() });
  expect(await withSuperuser(dataDir(), (sql) => sql`select auth.email() as email`)).toEqual([
    { email: null },
  ]);
  await again.close();
}, 60_000);
