import { spawn } from "node:child_process";
import { chmod, mkdir, mkdtemp, readFile, rm, stat, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { startCluster } from "#embedded/engine/cluster.ts";
import {
  dataArgument,
  findPaths,
  openDataDir,
  postgresEnvironment,
} from "#embedded/engine/paths.ts";
import { connectAsSuperuser } from "#embedded/engine/superuser.ts";
import {
  childrenOf,
  endChild,
  isAlive,
  postmasterPid,
  socketFolder,
  startChild,
  useFolder,
} from "#tests/support/engine.ts";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";
import { recordingLog, silentLog } from "#tests/support/log.ts";

const folder = useFolder();
let dataDir: string;
beforeEach(() => {
  dataDir = join(folder.path, "data");
});

const ask = (server: TestServer) =>
  fetch(`${server.url}/rest/v1/contact_messages?select=id`, {
    headers: { apikey: server.secretKey },
    signal: AbortSignal.timeout(2_000),
  });

describe("a database server", () => {
  test("left by a killed site is stopped by the next start", async () => {
    const child = await startChild(dataDir);
    const pid = await postmasterPid(dataDir);
    const socket = await socketFolder(dataDir);
    // Without its watchdog, so that PostgreSQL surely outlives the site.
    for (const each of childrenOf(Number(child.pid))) {
      if (each !== pid) {
        process.kill(each, "SIGKILL");
      }
    }
    await endChild(child);
    await sleep(200);
    expect(isAlive(pid)).toBe(true);
    const server = await startTestServer({ dataDir });
    expect(await postmasterPid(dataDir)).not.toBe(pid);
    expect(await server.embedded.healthy()).toBe(true);
    await server.close();
    expect(isAlive(pid)).toBe(false);
    await expect(stat(socket)).rejects.toThrow("ENOENT");
  });

  test("that appears during a start is stopped too", async () => {
    await (await startTestServer({ dataDir })).close();
    const paths = await findPaths(dataDir, silentLog);
    const data = join(paths.cluster, "data");
    // A killed site may have spawned it a moment before, so that it has no pid file yet.
    for (let delay = 0; delay < 300; delay += 30) {
      const started = startTestServer({ dataDir });
      await sleep(delay);
      const args = ["-D", dataArgument(data), "-k", "/tmp", "-c", "listen_addresses="];
      const other = spawn(join(paths.binaries, "bin/postgres"), args, {
        ...paths.user,
        cwd: data,
        env: postgresEnvironment,
        stdio: "ignore",
      });
      const server = await started;
      expect(await server.embedded.healthy()).toBe(true);
      other.kill("SIGKILL");
      await server.close();
    }
  }, 120_000);

  test("is ended soon after its site was killed, by itself", async () => {
    const child = await startChild(dataDir);
    const pid = await postmasterPid(dataDir);
    await endChild(child);
    await expect.poll(() => isAlive(pid), { timeout: 15_000 }).toBe(false);
  });

  test("is not confused with a stranger that has its number now", async () => {
    await (await startTestServer({ dataDir })).close();
    const stranger = spawn("sleep", ["60"]);
    try {
      const cluster = join(dataDir, "database/cluster/data");
      const lines = [stranger.pid, cluster, 1, 5432, "/nowhere", "", "", "ready", ""];
      await writeFile(join(cluster, "postmaster.pid"), lines.join("\n"));
      const server = await startTestServer({ dataDir });
      expect(await server.embedded.healthy()).toBe(true);
      await server.close();
      expect(isAlive(Number(stranger.pid))).toBe(true);
    } finally {
      stranger.kill();
    }
  });
});

describe("a running site whose database server", () => {
  let server: TestServer;
  let lines: string[];
  let pid: number;
  beforeEach(async () => {
    lines = [];
    server = await startTestServer({ dataDir, log: recordingLog(lines) });
    pid = await postmasterPid(dataDir);
    await ask(server);
  });
  afterEach(() => server.close());

  /** A stopped process is not there to answer for its children, which may answer for a moment. */
  const isBack = async () => {
    const next = await postmasterPid(dataDir).catch(() => pid);
    const answer = next === pid ? undefined : await ask(server).catch(() => undefined);
    return answer?.ok === true && (await server.embedded.healthy());
  };
  const untilBack = () => expect.poll(isBack, { timeout: 50_000, interval: 100 }).toBe(true);
  const restarts = () => lines.filter((line) => line.includes("is started again"));

  test("is killed refuses cleanly, comes back and says why it ended", async () => {
    process.kill(pid, "SIGKILL");
    const broken = await ask(server);
    expect([200, 503]).toContain(broken.status);
    expect(await broken.json()).toBeDefined();
    const signIn = await fetch(`${server.url}/auth/v1/token?grant_type=password`, {
      method: "POST",
      headers: { apikey: server.publishableKey, "Content-Type": "application/json" },
      body: JSON.stringify({ email: "a@b.co", password: "secret" }),
    });
    expect(signIn.status).toBe(500);
    expect(lines.filter((line) => line.startsWith("auth: unexpected failure "))).toHaveLength(1);
    await untilBack();
    expect(restarts()).toEqual([
      expect.stringMatching(/^The database ended \(signal SIGKILL\) and is started again\./),
    ]);
  });

  test("dies of a fault logs its last lines, and keeps its own log", async () => {
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
    server = await startTestServer({ dataDir });
    expect((await stat(log)).size).toBeLessThan(1024);
    expect(await readFile(`${log}.1`, "utf8")).toContain("an earlier line");
  });

  test("was told to stop by somebody else, and refuses new connections", async () => {
    process.kill(pid, "SIGTERM");
    await expect.poll(() => server.embedded.healthy(), { timeout: 3_000 }).toBe(false);
    await untilBack();
    expect(restarts()).toEqual([
      expect.stringMatching(
        /^The database accepts no connections \(57P03\) and is started again\./,
      ),
    ]);
  });

  test("has lost its socket folder", async () => {
    await rm(await socketFolder(dataDir), { recursive: true });
    expect(await server.embedded.healthy()).toBe(false);
    await untilBack();
    expect(restarts()).toEqual([
      expect.stringMatching(/^The database accepts no connections \(ENOENT\) and is started again/),
    ]);
  });

  test("hangs is noticed within two seconds, and then replaced", async () => {
    const all = [pid, ...childrenOf(pid)];
    for (const each of all) {
      process.kill(each, "SIGSTOP");
    }
    const since = performance.now();
    expect(await server.embedded.healthy()).toBe(false);
    expect(performance.now() - since).toBeLessThan(2_000);
    await untilBack();
    expect(restarts()).toEqual([
      "The database accepts no connections (no answer in 5 s) and is started again.",
    ]);
    expect(all.filter(isAlive)).toEqual([]);
  }, 90_000);
});

test("a dead server whose process is still busy with a query does not keep the next one out", async () => {
  const cluster = await startCluster(await openDataDir(dataDir), silentLog);
  const sql = connectAsSuperuser(cluster);
  const busy = sql`select count(*) from generate_series(1, 100000000000)`.then(
    () => "finished",
    () => "broken",
  );
  const pid = await postmasterPid(dataDir);
  const isBusy = async () => {
    const [row] = await connectAsSuperuser(cluster)`
      select count(*)::int from pg_stat_activity where query like '%generate_series%'`;
    return row?.["count"] === 2;
  };
  await expect.poll(isBusy).toBe(true);
  process.kill(pid, "SIGKILL");
  const isBack = async () => (await postmasterPid(dataDir)) !== pid && cluster.answers();
  await expect.poll(isBack, { timeout: 30_000 }).toBe(true);
  expect(await busy).toBe("broken");
  await sql.end({ timeout: 0 });
  await cluster.stop();
});

test("socket folders of dead sites are removed at a start, and no others", async () => {
  const base = await mkdtemp(join(tmpdir(), "t-"));
  await chmod(base, 0o711);
  const { TMPDIR } = process.env;
  process.env["TMPDIR"] = base;
  try {
    const server = await startTestServer({ dataDir });
    const live = await socketFolder(dataDir);
    expect(live.startsWith(base)).toBe(true);
    const dead = join(base, "tawasul-4194305-aaaaaa");
    const kept = ["tawasul-site", "tawasul-4194305-x", "other-4194305-aaaaaa"];
    for (const name of [dead, ...kept.map((each) => join(base, each))]) {
      await mkdir(name, { mode: 0o700 });
    }
    await writeFile(join(dead, ".s.PGSQL.5432.lock"), "");
    const other = await startTestServer({ dataDir: join(folder.path, "other") });
    await expect(stat(dead)).rejects.toThrow("ENOENT");
    for (const name of [live, ...kept.map((each) => join(base, each))]) {
      expect((await stat(name)).isDirectory()).toBe(true);
    }
    await other.close();
    await server.close();
    await expect(stat(live)).rejects.toThrow("ENOENT");
  } finally {
    process.env["TMPDIR"] = TMPDIR ?? "/tmp";
    await rm(base, { recursive: true });
  }
});
