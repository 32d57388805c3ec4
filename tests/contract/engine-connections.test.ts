import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import postgres from "postgres";
import { expect, test } from "vitest";
import { openDatabase } from "#embedded/database.ts";
import { bootstrap } from "#embedded/engine/bootstrap.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { TransactionPool } from "#embedded/transactions.ts";
import { silentLog } from "#tests/support/log.ts";

const poolSize = 10;

/** A database in an empty folder, and a function that kills its server. */
async function startDatabase() {
  const folder = await mkdtemp(join(tmpdir(), "connections-"));
  await chmod(folder, 0o711);
  const dataDir = await openDataDir(join(folder, "data"));
  const cluster = await startCluster(dataDir, silentLog);
  const database = openDatabase(cluster.socketDir, await bootstrap(cluster, ""));
  return {
    database,
    async kill() {
      const pidFile = join(dataDir, "database/cluster/data/postmaster.pid");
      process.kill(Number((await readFile(pidFile, "utf8")).split("\n")[0]), "SIGKILL");
    },
    async [Symbol.asyncDispose]() {
      await database.close();
      await cluster.stop();
      await rm(folder, { recursive: true });
    },
  };
}

test("pools survive a crash of PostgreSQL during transactions, and mix none of them", async () => {
  await using started = await startDatabase();
  const { database, kill } = started;
  const sql = database.auth;
  await sql`create table auth.entries (round int, half text)`;
  for (let round = 0; round < 3; round += 1) {
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
    await kill();
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
  // The pool works again, perhaps with fewer connections: postgres.js may lose one when it
  // breaks at a bad moment.
  const places = async () => {
    const together = await Promise.all(
      Array.from({ length: poolSize }, () => sql`select pg_backend_pid() as pid, pg_sleep(0.5)`),
    );
    return new Set(together.map(([row]) => row?.["pid"])).size;
  };
  await expect.poll(places, { timeout: 30_000 }).toBeGreaterThan(poolSize / 2);
}, 120_000);

test("transactions that are sent together are committed whole or not at all", async () => {
  await using started = await startDatabase();
  const { database, kill } = started;
  await using held = new AsyncDisposableStack();
  const options = database.connectionOptions("supabase_auth_admin");
  const pool = new TransactionPool(
    (_place, onclose) => postgres({ ...options, max: 1, onclose }),
    poolSize,
  );
  held.defer(() => pool.end({ timeout: 5 }));
  await database.auth`create table auth.entries (round int, half text)`;
  const write = (round: number) =>
    pool.lend(async (sql) => {
      try {
        await Promise.all([
          sql`begin`,
          sql`insert into auth.entries values (${round}, 'first')`,
          sql`select pg_sleep(0.02)`,
          sql`insert into auth.entries values (${round}, 'second')`,
          sql`commit`,
        ]);
      } catch (error) {
        await sql`rollback`;
        throw error;
      }
    });
  for (let round = 0; round < 3; round += 1) {
    let written = 0;
    const settled = Promise.allSettled(
      Array.from({ length: 30 * poolSize }, () => write(round).then(() => (written += 1))),
    );
    await expect.poll(() => written, { timeout: 20_000, interval: 5 }).toBeGreaterThan(poolSize);
    await kill();
    const outcomes = (await settled).map(({ status }) => status);
    expect(new Set(outcomes)).toEqual(new Set(["fulfilled", "rejected"]));
    await expect
      .poll(
        () =>
          write(round).then(
            () => true,
            () => false,
          ),
        { timeout: 20_000 },
      )
      .toBe(true);
    const [halves] = await database.auth`select
      count(*) filter (where half = 'first')::int as first,
      count(*) filter (where half = 'second')::int as second
      from auth.entries where round = ${round}`;
    expect(halves?.["first"]).toBe(halves?.["second"]);
    const confirmed = outcomes.filter((status) => status === "fulfilled").length;
    expect(halves?.["first"]).toBeGreaterThan(confirmed);
  }
  const backends = await Promise.all(
    Array.from({ length: poolSize }, () =>
      pool.lend(
        async (sql) => (await sql`select pg_backend_pid() as pid, pg_sleep(0.5)`)[0]?.["pid"],
      ),
    ),
  );
  expect(new Set(backends).size).toBe(poolSize);
}, 120_000);

test("a pool queues 500 transactions and refuses further ones as temporary", async () => {
  await using started = await startDatabase();
  const options = started.database.connectionOptions("supabase_auth_admin");
  const pool = new TransactionPool(
    (_place, onclose) => postgres({ ...options, max: 1, onclose }),
    1,
  );
  const held = Promise.withResolvers<void>();
  const first = pool.lend(() => held.promise);
  await sleep(1);
  const others = Array.from({ length: 500 }, () => pool.lend(() => held.promise));
  const refused = pool.lend(async () => "answered");
  await expect(refused).rejects.toMatchObject({ code: "CONNECTION_POOL_FULL" });
  held.resolve();
  await Promise.all([first, ...others]);
  await expect(pool.lend(async () => "answered")).resolves.toBe("answered");
  await pool.end({ timeout: 1 });
});
