import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";
import { runMigrations } from "#embedded/engine/migrations.ts";
import { EngineError } from "#embedded/index.ts";
import { startDatabase } from "./support/database.ts";
import { tempFolder } from "./support/folder.ts";
import { migrationsDir } from "./support/notes-site.ts";
import { useFolder } from "./support/use-folder.ts";

const home = await tempFolder();
const database = await startDatabase(home.path, migrationsDir);
afterAll(() => database.close().finally(() => home[Symbol.asyncDispose]()));

const folder = useFolder();
beforeEach(async () => {
  await database.sql.script(`
    delete from supabase_migrations.schema_migrations;
    create schema if not exists made`);
  await migration("1_history", history);
});
afterEach(async () => {
  await database.sql.script("drop schema made cascade");
});

const history = "create table made.steps (step text);";
const step = (name: string) => `insert into made.steps values ('${name}')`;
const steps = () => database.sql`select step from made.steps`;
const recorded = () =>
  database.sql`select * from supabase_migrations.schema_migrations order by version`;

const migration = (name: string, text: string) => writeFile(join(folder.path, `${name}.sql`), text);
const run = () => runMigrations(database.sql, folder.path);

async function refused(sentence: string): Promise<void> {
  const error: unknown = await run().catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(EngineError);
  expect((error as EngineError).message).toBe(sentence);
}

test("run in order, once, and are recorded as the Supabase CLI records them", async () => {
  await migration("20_second", step("second"));
  await migration("3_first", step("first"));
  await writeFile(join(folder.path, "notes.txt"), "not a migration");
  for (const ran of [["1_history.sql", "3_first.sql", "20_second.sql"], []]) {
    expect(await run()).toEqual(ran);
    expect(await steps()).toEqual([{ step: "first" }, { step: "second" }]);
    expect(await recorded()).toEqual([
      { version: "1", name: "history", statements: [history] },
      { version: "20", name: "second", statements: [step("second")] },
      { version: "3", name: "first", statements: [step("first")] },
    ]);
  }
});

test("stop the start when one fails, and leave the database as it was", async () => {
  await run();
  await migration("2_half", `create table made.half (id int); ${step("half")}; select 1 / 0;`);
  await refused("The migration 2_half.sql failed: division by zero");
  expect(await steps()).toEqual([]);
  expect(await database.sql`select to_regclass('made.half') as half`).toEqual([{ half: null }]);
  expect(await recorded()).toHaveLength(1);
});

test("of one start run as a whole: when the second fails, the first has not run either", async () => {
  await run();
  await migration("2_whole", `create table made.colours (id int); ${step("whole")}`);
  await migration("3_broken", "select 1 / 0;");
  await refused("The migration 3_broken.sql failed: division by zero");
  expect(await steps()).toEqual([]);
  expect(await recorded()).toEqual([{ version: "1", name: "history", statements: [history] }]);
  // The version before has neither file, and starts.
  await rm(join(folder.path, "2_whole.sql"));
  await rm(join(folder.path, "3_broken.sql"));
  await expect(run()).resolves.toEqual([]);
});

test("leave neither settings, a role nor waiting checks to the next one of their start", async () => {
  await run();
  await migration(
    "2_settings",
    `create table made.parents (id int primary key);
     create table made.children (parent int references made.parents deferrable initially deferred);
     insert into made.children values (1);
     insert into made.parents values (1);
     set search_path = made;
     set local statement_timeout = '1h';
     set local role anon;`,
  );
  await migration(
    "3_next",
    `alter table made.children add column name text;
     insert into made.steps values (concat_ws(' ', current_user, current_setting('search_path'),
       current_setting('statement_timeout')));`,
  );
  expect(await run()).toEqual(["2_settings.sql", "3_next.sql"]);
  expect(await steps()).toEqual([{ step: 'postgres "$user", public, extensions 0' }]);

  await migration("4_orphan", "insert into made.children values (2);");
  await migration("5_last", step("last"));
  await refused(
    'The migration 4_orphan.sql failed: insert or update on table "children" violates foreign key constraint "children_parent_fkey"',
  );
});

test.each(["commit", "/* all */ End Work"])(
  "cannot end their transaction themselves: %s",
  async (end) => {
    await run();
    await migration("2_ends", `${step("kept")}; ${end}; select 1 / 0;`);
    await refused(
      "The migration 2_ends.sql begins or ends a transaction; all of a start run in one.",
    );
    expect(await steps()).toEqual([]);
  },
);

test("can have bodies with an end, and statements that use objects made just before", async () => {
  await migration(
    "2_bodies",
    `create function made.kept() returns text language sql begin atomic
       select 'lost'; select case when true then 'kept' end;
     end;
     create table made.others (step text);
     insert into made.others values ('kept');
     insert into made.steps select step from made.others where step = made.kept();`,
  );
  await run();
  expect(await steps()).toEqual([{ step: "kept" }]);
});

test("can neither change nor disappear once they have run", async () => {
  await migration("2_step", step("first"));
  await run();
  await migration("2_step", step("second"));
  await refused("This database was made with another 2_step.sql.");
  await rm(join(folder.path, "2_step.sql"));
  await refused("This database has the migration 2_step.sql, but the file is missing.");
  expect(await steps()).toEqual([{ step: "first" }]);
});

test("are refused by a database that has only older ones", async () => {
  await migration("20_step", step("first"));
  await run();
  await rm(join(folder.path, "1_history.sql"));
  await rm(join(folder.path, "20_step.sql"));
  await migration("100_anew", step("second"));
  await refused("All migrations of this database are older than 100_anew.sql.");
  expect(await steps()).toEqual([{ step: "first" }]);
});
