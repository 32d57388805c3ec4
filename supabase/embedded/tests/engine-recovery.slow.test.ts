import { readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { type Cluster, startCluster } from "#embedded/engine/cluster.ts";
import { openDataDir } from "#embedded/engine/paths.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import { recordingLog, silentLog } from "./support/log.ts";
import { type NotesSite, startNotes } from "./support/notes-site.ts";
import { childrenOf, isAlive, postmasterPid, socketFolder } from "./support/processes.ts";
import { useFolder } from "./support/use-folder.ts";

const folder = useFolder();
let dataDir: string;
beforeEach(() => {
  dataDir = join(folder.path, "data");
});

const ask = (server: NotesSite) => server.call("lock_notes", { is_sure: true });

describe("a running site whose database server", () => {
  let server: NotesSite;
  let lines: string[];
  let pid: number;
  beforeEach(async () => {
    lines = [];
    server = await startNotes({ dataDir, log: recordingLog(lines) });
    pid = await postmasterPid(dataDir);
    await ask(server);
  });
  afterEach(() => server.close());

  /** The children of a stopped process may still respond for a moment. */
  const isBack = async () => {
    const next = await postmasterPid(dataDir).catch(() => pid);
    const answer = next === pid ? undefined : await ask(server).catch(() => undefined);
    return answer?.ok === true && (await server.embedded.healthy());
  };
  const untilBack = () => expect.poll(isBack, { timeout: 50_000, interval: 100 }).toBe(true);
  const restarts = () => lines.filter((line) => line.includes("is started again"));

  test("is gone makes REST return 503 with Retry-After", async () => {
    for (const each of [pid, ...childrenOf(pid)]) {
      process.kill(each, "SIGKILL");
    }
    const refused = await ask(server);
    expect([refused.status, refused.headers.get("retry-after")]).toEqual([503, "1"]);
    expect(await refused.json()).toMatchObject({
      code: expect.stringMatching(/^(?:PGRST00[01]|08006|57P0[123])$/),
    });
    await untilBack();
  });

  test("crashes logs its last lines, and keeps its own log", async () => {
    process.kill(pid, "SIGQUIT");
    await untilBack();
    process.kill(await postmasterPid(dataDir), "SIGKILL");
    await expect.poll(() => restarts().length).toBe(2);
    await untilBack();
    expect(restarts()[0]).toMatch(/ended \(exit code \d\) and is started again\./);
    const log = join(dataDir, "postgres.log");
    const kept = await readFile(log, "utf8").catch(() => "");
    await server.close();

    await writeFile(log, `${kept}an earlier line\n`);
    await truncate(log, 1024 * 1024 + 1);
    server = await startNotes({ dataDir });
    expect((await stat(log)).size).toBeLessThan(1024);
    expect(await readFile(`${log}.1`, "utf8")).toContain("an earlier line");
  });
});

describe("a cluster that is asked more often, whose database server", () => {
  let cluster: Cluster;
  let lines: string[];
  let pid: number;
  beforeEach(async () => {
    lines = [];
    const patience = { interval: 100, deadline: 1_000 };
    cluster = await startCluster(await openDataDir(dataDir), recordingLog(lines), patience);
    pid = await postmasterPid(dataDir);
  });
  afterEach(() => cluster.stop());

  const isReplaced = async () =>
    (await postmasterPid(dataDir).catch(() => pid)) !== pid && cluster.answers();
  const untilReplaced = async (fault: string) => {
    await expect.poll(isReplaced, { timeout: 50_000, interval: 100 }).toBe(true);
    expect(lines[0]?.startsWith(`The database accepts no connections (${fault})`)).toBe(true);
  };

  test("gets SIGTERM from outside refuses new connections", async () => {
    // Until its connection ends, the server cannot stop by itself.
    const sql = connectAsSuperuser(cluster);
    await sql`select 1`;
    process.kill(pid, "SIGTERM");
    await expect.poll(() => cluster.answers(), { timeout: 3_000 }).toBe(false);
    await untilReplaced("57P03");
    await sql.end();
  });

  test("has lost its socket folder", async () => {
    await rm(await socketFolder(dataDir), { recursive: true });
    expect(await cluster.answers()).toBe(false);
    await untilReplaced("ENOENT");
  });

  test("hangs is noticed within two seconds, and then replaced", async () => {
    const all = [pid, ...childrenOf(pid)];
    for (const each of all) {
      process.kill(each, "SIGSTOP");
    }
    const since = performance.now();
    expect(await cluster.answers()).toBe(false);
    expect(performance.now() - since).toBeLessThan(2_000);
    await untilReplaced("timeout expired");
    expect(all.filter(isAlive)).toEqual([]);
  }, 90_000);
});

test("a dead server with a backend that is busy with a query does not block the next one", async () => {
  const cluster = await startCluster(await openDataDir(dataDir), silentLog);
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
  await cluster.stop();
});
