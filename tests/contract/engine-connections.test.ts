import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";

import { expect, test } from "vitest";

import { openDatabase } from "#embedded/database.ts";
import { bootstrap } from "#embedded/engine/bootstrap.ts";
import { startCluster } from "#embedded/engine/cluster.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { silentLog } from "#tests/support/log.ts";

const POOL = 10;

test("pools survive Postgres dying inside their transactions, and mix none of them", async () => {
  const folder = await mkdtemp(join(tmpdir(), "connections-"));
  await chmod(folder, 0o711);
  const dataDir = await openDataDir(join(folder, "data"));
  const cluster = await startCluster(dataDir, silentLog);
  const database = openDatabase(cluster.socketDir, await bootstrap(cluster, ""));
  const sql = database.auth;
  try {
    await sql`create table auth.entries (round int, half text)`;
    for (let round = 0; round < 3; round += 1) {
      let waiting = 0;
      const entries = Array.from({ length: 3 * POOL }, (_, number) =>
        sql.begin(async (transaction) => {
          await transaction`insert into auth.entries values (${round}, 'first')`;
          waiting += 1;
          // Some are in a statement when the connection breaks, some between two.
          if (number % 2) {
            await transaction`select pg_sleep(1)`;
          } else {
            await sleep(1_000);
          }
          await transaction`insert into auth.entries values (${round}, 'second')`;
        }),
      );
      const settled = Promise.allSettled(entries);
      await expect.poll(() => waiting, { timeout: 20_000 }).toBeGreaterThanOrEqual(POOL);
      const pidFile = join(dataDir, "database/cluster/data/postmaster.pid");
      process.kill(Number((await readFile(pidFile, "utf8")).split("\n")[0]), "SIGKILL");
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
    // The pool works again, if not all of it: postgres.js may mislay a place when a connection
    // breaks at a bad moment.
    const places = async () => {
      const together = await Promise.all(
        Array.from({ length: POOL }, () => sql`select pg_backend_pid() as pid, pg_sleep(0.5)`),
      );
      return new Set(together.map(([row]) => row?.["pid"])).size;
    };
    await expect.poll(places, { timeout: 30_000 }).toBeGreaterThan(POOL / 2);
  } finally {
    await database.close();
    await cluster.stop();
    await rm(folder, { recursive: true });
  }
}, 120_000);
