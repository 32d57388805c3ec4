import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, expect, test } from "vitest";
import { NoConnectionError, openPool } from "#embedded/sql.ts";
import { startDatabase } from "./support/database.ts";
import { tempFolder } from "./support/folder.ts";
import { migrationsDir } from "./support/notes-site.ts";
import { postmasterPid } from "./support/processes.ts";

const poolSize = 10;

const folder = await tempFolder();
const database = await startDatabase(folder.path, migrationsDir);
afterAll(() => database.close().finally(() => folder[Symbol.asyncDispose]()));
const { auth: sql } = database.database;

test("pools survive a crash of PostgreSQL during transactions, and mix none of them", async () => {
  await sql`create table auth.entries (round int, half text)`;
  for (let round = 0; round < 2; round += 1) {
    let waiting = 0;
    const entries = Array.from({ length: 3 * poolSize }, (_, number) =>
      sql.begin(async (transaction) => {
        await transaction`insert into auth.entries values (${round}, 'first')`;
        waiting += 1;
        // When the connection breaks, some are in a statement and some between two statements.
        if (number % 2) {
          await transaction`select pg_sleep(1)`;
        } else {
          await sleep(1_000);
        }
        await transaction`insert into auth.entries values (${round}, 'second')`;
      }),
    );
    const settled = Promise.allSettled(entries);
    await expect.poll(() => waiting, { timeout: 20_000 }).toBeGreaterThanOrEqual(poolSize);
    process.kill(await postmasterPid(database.dataDir), "SIGKILL");
    const outcomes = (await settled).map(({ status }) => status);
    expect(outcomes).toContain("rejected");
    await expect
      .poll(() => sql`select 1`.then(Boolean, () => false), { timeout: 20_000 })
      .toBe(true);
    const [halves] = await sql`select
        count(*) filter (where half = 'first') as first,
        count(*) filter (where half = 'second') as second
        from auth.entries where round = ${round}`;
    const fulfilled = String(outcomes.filter((status) => status === "fulfilled").length);
    expect(halves).toEqual({ first: fulfilled, second: fulfilled });
  }
  const places = await Promise.all(
    Array.from({ length: poolSize }, () => sql`select pg_backend_pid() as pid, pg_sleep(0.5)`),
  );
  expect(new Set(places.map(([row]) => row?.["pid"])).size).toBe(poolSize);
});

test("a transaction is committed whole or not at all", async () => {
  await sql`create table auth.halves (half text)`;
  const refused = sql.begin(async (transaction) => {
    await transaction`insert into auth.halves values ('first')`;
    await transaction`select 1 / 0`.catch(() => undefined);
  });
  await expect(refused).rejects.toThrow("rolled back");
  const unfinished = sql.begin(async (transaction) => {
    await transaction`insert into auth.halves values ('first')`;
    await transaction`insert into auth.halves values (${undefined})`;
  });
  await expect(unfinished).rejects.toThrow(TypeError);
  expect(await sql`select half from auth.halves`).toEqual([]);
});

// A power cut shows it alone: what the system has in memory outlives a kill.
test("a commit is on the disk before it is confirmed", async () => {
  const names = ["fsync", "full_page_writes", "synchronous_commit"];
  const rows = await sql`select setting from pg_settings where name = any (${names})`;
  expect(rows.map(({ setting }) => setting)).toEqual(["on", "on", "on"]);
});

test("a call that waits too long for a connection is refused as temporary", async () => {
  const login = database.database.login("supabase_auth_admin");
  const pool = openPool({ ...login, max: 1, connectionTimeoutMillis: 200 });
  // On a busy machine the connection itself takes longer.
  await expect.poll(() => pool`select 1`.then(Boolean, () => false)).toBe(true);
  const held = Promise.withResolvers<void>();
  const first = pool.begin(() => held.promise);
  await expect(pool`select 1`).rejects.toThrow(NoConnectionError);
  held.resolve();
  await first;
  expect(await pool`select 1 as one`).toEqual([{ one: 1 }]);
  await pool.end();
});
