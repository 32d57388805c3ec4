import { chmod, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartError } from "#embedded/index.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

let folder: string;
let dataDir: string;
let migrationsDir: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "migrations-"));
  await chmod(folder, 0o711);
  dataDir = join(folder, "data");
  migrationsDir = join(folder, "migrations");
  await mkdir(migrationsDir);
  await migration("1_history", history);
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const history = "create table public.steps (step text);";
const steps = "select step from public.steps";
const recorded = "select * from supabase_migrations.schema_migrations order by version";

const migration = (name: string, text: string) =>
  writeFile(join(migrationsDir, `${name}.sql`), text);

async function withSite<T>(use: (get: (query: string) => Promise<unknown>) => Promise<T>) {
  const server = await startTestServer({ dataDir, migrationsDir });
  try {
    return await withSuperuser(dataDir, (sql) =>
      use(async (query) => Array.from(await sql.unsafe(query))),
    );
  } finally {
    await server.close();
  }
}

const record = (version: string, name: string, text: string) => ({
  version,
  name,
  statements: [text],
});

test("run in order, once, and are recorded as the Supabase CLI records them", async () => {
  await migration("20_second", "insert into public.steps values ('second')");
  await migration("3_first", "insert into public.steps values ('first')");
  await writeFile(join(migrationsDir, "notes.txt"), "not a migration");
  for (let start = 0; start < 2; start += 1) {
    await withSite(async (get) => {
      expect(await get(steps)).toEqual([{ step: "first" }, { step: "second" }]);
      expect(await get(recorded)).toEqual([
        record("1", "history", history),
        record("20", "second", "insert into public.steps values ('second')"),
        record("3", "first", "insert into public.steps values ('first')"),
      ]);
    });
  }
});

test("stop the start when one fails, and leave the database as it was", async () => {
  await migration(
    "2_half",
    "create table public.half (id int); insert into public.steps values ('half'); select 1 / 0;",
  );
  const failed = startTestServer({ dataDir, migrationsDir });
  await expect(failed).rejects.toThrow(StartError);
  await expect(failed).rejects.toThrow("The migration 2_half.sql failed: division by zero");
  await rm(join(migrationsDir, "2_half.sql"));
  await withSite(async (get) => {
    expect(await get(steps)).toEqual([]);
    expect(await get("select to_regclass('public.half') as half")).toEqual([{ half: null }]);
    expect(await get(recorded)).toHaveLength(1);
  });
});

test.each(["commit", "/* all */ End Work"])(
  "cannot end their transaction themselves: %s",
  async (end) => {
    await migration("2_ends", `insert into public.steps values ('kept'); ${end}; select 1 / 0;`);
    await expect(startTestServer({ dataDir, migrationsDir })).rejects.toThrow(
      "The migration 2_ends.sql begins or ends a transaction; each file runs in one.",
    );
    await rm(join(migrationsDir, "2_ends.sql"));
    await withSite(async (get) => expect(await get(steps)).toEqual([]));
  },
);

test("can have bodies with an end, and statements that use objects made just before", async () => {
  await migration(
    "2_bodies",
    `create function public.kept() returns text language sql begin atomic
       select 'lost'; select case when true then 'kept' end;
     end;
     create table public.made (step text);
     insert into public.made values ('kept');
     insert into public.steps select step from public.made where step = public.kept();`,
  );
  await withSite(async (get) => expect(await get(steps)).toEqual([{ step: "kept" }]));
});

test("cannot change once they have run", async () => {
  await migration("2_step", "insert into public.steps values ('first')");
  await withSite(async (get) => expect(await get(steps)).toHaveLength(1));
  await migration("2_step", "insert into public.steps values ('second')");
  const failed = startTestServer({ dataDir, migrationsDir });
  await expect(failed).rejects.toThrow(StartError);
  await expect(failed).rejects.toThrow(
    "The migration 2_step.sql was changed after it ran on this database: restore its text and put the change in a new file.",
  );
});

test("cannot disappear once they have run", async () => {
  await migration("2_step", "insert into public.steps values ('first')");
  await withSite(async (get) => expect(await get(steps)).toHaveLength(1));
  await rm(join(migrationsDir, "2_step.sql"));
  await expect(startTestServer({ dataDir, migrationsDir })).rejects.toThrow(
    "This database has the migration 2_step.sql, but the file is missing: restore it, or start the newer version of the site that has it.",
  );
});
