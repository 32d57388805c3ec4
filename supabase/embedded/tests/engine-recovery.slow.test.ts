import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { startCluster } from "#embedded/engine/cluster.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { recordingLog, silentLog } from "./support/log.ts";
import { copyEmptyCluster } from "./support/made-cluster.ts";
import { startNotes } from "./support/notes-site.ts";
import { childrenOf, isAlive, postmasterPid, socketFolder } from "./support/processes.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();
let dataDir: string;
let stop: () => Promise<void>;
beforeEach(() => {
  dataDir = join(folder.path, "data");
});
afterEach(() => stop());

test("while the database server is gone REST answers 503 with Retry-After, and a crash is logged with its last lines", async () => {
  const lines: string[] = [];
  let server = await startNotes({ dataDir, log: recordingLog(lines) });
  stop = () => server.close();
  let pid = await postmasterPid(dataDir);
  const ask = () => server.call("lock_notes", { is_sure: true });
  /** The children of a stopped process may still respond for a moment. */
  const isBack = async () => {
    const next = await postmasterPid(dataDir).catch(() => pid);
    const answer = next === pid ? undefined : await ask().catch(() => undefined);
    return answer?.ok === true && (await server.embedded.healthy());
  };
  const untilBack = async () => {
    await expect.poll(isBack, { timeout: 50_000, interval: 100 }).toBe(true);
    pid = await postmasterPid(dataDir);
  };
  const restarts = () => lines.filter((line) => line.includes("is started again"));
  await ask();

  for (const each of [pid, ...childrenOf(pid)]) {
    process.kill(each, "SIGKILL");
  }
  const refused = await ask();
  expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
  expect(await refused.json()).toMatchObject({
    code: expect.stringMatching(/^(?:PGRST00[01]|08006|57P0[123])$/),
  });
  await untilBack();
  process.kill(pid, "SIGQUIT");
  await untilBack();
  await expect.poll(() => restarts().length).toBe(2);
  expect(restarts()[1]).toMatch(/ended \(exit code \d\) and is started again\./);

  // It keeps its own log, up to a megabyte, and the one before.
  const log = join(dataDir, "postgres.log");
  const kept = await readFile(log, "utf8").catch(() => "");
  await server.close();
  await writeFile(log, `${kept}an earlier line\n`);
  await truncate(log, 1024 * 1024 + 1);
  server = await startNotes({ dataDir });
  expect((await stat(log)).size).toBeLessThan(1024);
  expect(await readFile(`${log}.1`, "utf8")).toContain("an earlier line");
});

test("a database server that refuses, cannot be reached or hangs is noticed and replaced", async () => {
  const lines: string[] = [];
  const patience = { interval: 100, deadline: 1_000 };
  await copyEmptyCluster(dataDir);
  const cluster = await startCluster(await openDataDir(dataDir), recordingLog(lines), patience);
  stop = () => cluster.stop();
  let pid = await postmasterPid(dataDir);
  const untilReplaced = async (fault: string) => {
    const isReplaced = async () =>
      (await postmasterPid(dataDir).catch(() => pid)) !== pid && cluster.answers();
    await expect.poll(isReplaced, { timeout: 50_000, interval: 100 }).toBe(true);
    expect(lines.join("\n")).toContain(`The database accepts no connections (${fault})`);
    pid = await postmasterPid(dataDir);
  };

  // SIGTERM from outside. Until its connection ends, the server cannot stop by itself.
  const sql = connectAsSuperuser(cluster);
  await sql`select 1`;
  process.kill(pid, "SIGTERM");
  await expect.poll(() => cluster.answers(), { timeout: 3_000 }).toBe(false);
  await untilReplaced("57P03");
  await sql.end();

  await rm(await socketFolder(dataDir), { recursive: true });
  expect(await cluster.answers()).toBe(false);
  await untilReplaced("ENOENT");

  const all = [pid, ...childrenOf(pid)];
  for (const each of all) {
    process.kill(each, "SIGSTOP");
  }
  const since = performance.now();
  expect(await cluster.answers()).toBe(false);
  expect(performance.now() - since).toBeLessThan(2_000);
  await untilReplaced("timeout expired");
  expect(all.filter(isAlive)).toEqual([]);
});

test("a dead server with a backend that is busy with a query does not block the next one", async () => {
  await copyEmptyCluster(dataDir);
  const cluster = await startCluster(await openDataDir(dataDir), silentLog);
  stop = () => cluster.stop();
  const sql = connectAsSuperuser(cluster);
  const busy = sql`select count(*) from generate_series(1, 100000000000)`.then(
    () => "finished",
    () => "broken",
  );
  const pid = await postmasterPid(dataDir);
  const isBusy = async () => {
    const [row] = await connectAsSuperuser(cluster)`
      select count(*)::int from pg_stat_activity
      where query like '%generate_series%' and state = 'active'`;
    return row?.["count"] === 2;
  };
  await expect.poll(isBusy).toBe(true);
  process.kill(pid, "SIGKILL");
  const isBack = async () => (await postmasterPid(dataDir)) !== pid && cluster.answers();
  await expect.poll(isBack, { timeout: 30_000 }).toBe(true);
  expect(await busy).toBe("broken");
  await sql.end();
});
