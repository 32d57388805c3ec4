import { execFileSync } from "node:child_process";
import { copyFile, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterAll, beforeAll, expect, onTestFinished, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { tempFolder } from "#tests/support/folder.ts";
import { openTab } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import { hasNginx, shippedFile, startNginxWith } from "#tests/support/nginx.ts";
import { type Outside, startOutside } from "#tests/support/outside.ts";
import { receiptPath, sendForReceipt, storedWith } from "#tests/support/receipts.ts";
import { freePort, type RunningSite, startSite } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { databaseUrl, withSuperuser } from "#tests/support/superuser.ts";
import { Visitor, ask, newCredentials, signedUp } from "#tests/support/visitor.ts";

const origin = "https://tawasul.example";

let outside: Outside;
let sites: [RunningSite, RunningSite];
let folder: Awaited<ReturnType<typeof tempFolder>>;
let unit: Record<string, string>;

const deploy = await readFile(join(root, ".github/DEPLOY.md"), "utf8");
const [, section = ""] = deploy.split("## Several processes\n");
const blocks = Array.from(section.matchAll(/```sh\n(.*?)```/gs), ([, block = ""]) => block);

/** Runs a block of DEPLOY in a folder that stands for the one it enters, without a system's services. */
const runBlock = (number: number, place: string) =>
  execFileSync("bash", [
    "-ec",
    `systemctl() { :; }; nginx() { :; }\n${blocks[number]?.replace(/^cd .*/, `cd ${place}`)}`,
  ]);

/** The environment of the second process, in the unit that DEPLOY makes of the first one's. */
async function secondEnvironment(): Promise<Record<string, string>> {
  await copyFile(join(root, ".github/tawasul.service"), join(folder.path, "tawasul.service"));
  runBlock(0, folder.path);
  const text = await readFile(join(folder.path, "tawasul-2.service"), "utf8");
  const [, entries = ""] = /^Environment=(.*)$/m.exec(text) ?? [];
  return Object.fromEntries(entries.split(" ").map((entry) => entry.split("=", 2)));
}

// Two processes of one site behind a balancer, on another machine's Supabase.
beforeAll(async () => {
  [outside, folder] = await Promise.all([startOutside(), tempFolder()]);
  await withSuperuser(
    outside.supabase.dataDir,
    (sql) => sql`update private.limits set points = 100000`,
  );
  const settings = {
    SITE_URL: origin,
    ...outside.env,
    SUPABASE_DB_URL: await databaseUrl(outside.supabase.dataDir),
    BACKUP_DIR: join(folder.path, "backups"),
  };
  unit = await secondEnvironment();
  const { BACKUP_DIR = "" } = unit;
  sites = await Promise.all([startSite(settings), startSite({ ...settings, BACKUP_DIR })]);
});
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()));
  await outside.close();
  await folder[Symbol.asyncDispose]();
});

/** A visitor whose next request goes to another process. */
function moved(visitor: Visitor, site: RunningSite): Visitor {
  const other = new Visitor(site, origin);
  visitor.cookies.forEach((value, name) => other.cookies.set(name, value));
  return other;
}

const newText = (name: string) => ({
  name,
  email: "client@example.com",
  message: `أريد صفحة هبوط: ${name}`,
  t_extra: "",
});

test("a sign-in, its notice, a message and a receipt of one process are good at the other, and boards of both are live", async () => {
  const credentials = newCredentials();
  await signedUp(sites[0], credentials, origin);
  const reader = new Visitor(sites[0], origin);
  expect((await reader.post("/auth", credentials)).status).toBe(302);
  const board = await moved(reader, sites[1]).get("/admin");
  expect(board.status).toBe(200);
  expect(board.text).toContain("تم تسجيل الدخول بنجاح");
  const tabs = sites.map((site) =>
    openTab(site, { cookie: reader.cookieHeader(), address: newAddress(), origin }),
  );
  expect(await Promise.all(tabs.map(({ status }) => status))).toEqual([101, 101]);

  const visitor = new Visitor(sites[0], origin);
  await visitor.get("/");
  const sender = moved(visitor, sites[1]);
  const path = receiptPath(await sendForReceipt(sites[1], "رسالة حية", { sender }));
  for (const { frames, socket } of tabs) {
    await expect.poll(() => frames.filter((frame) => frame.includes("رسالة حية"))).toHaveLength(1);
    socket.close();
  }
  expect((await ask(sites[0], "GET", path)).text).toContain("رسالة حية");
  expect((await new Visitor(sites[0], origin).post(path)).status).toBe(302);
  expect((await ask(sites[1], "GET", path)).status).toBe(410);
  expect(await storedWith(outside.supabase, "رسالة حية")).toEqual([]);
});

test("boards that Realtime fails connect again, and are refused until it is back", async () => {
  const reader = await signedUp(sites[0], newCredentials(), origin);
  const open = () =>
    openTab(sites[0], { cookie: reader.cookieHeader(), address: newAddress(), origin });
  const { realtime } = outside.supabase;
  const board = open();
  expect(await board.status).toBe(101);
  realtime.setFault("refuse");
  realtime.cut();
  expect(await board.closed).toBe(1001);
  expect(await open().status).toBe(503);
  realtime.setFault(undefined);
  // The site subscribes again after a pause.
  await expect.poll(() => open().status, { timeout: 30_000, interval: 500 }).toBe(101);
});

test("a rolling restart loses and doubles nothing, and boards connect to the other process", async () => {
  const reader = await signedUp(sites[0], newCredentials(), origin);
  const board = openTab(sites[0], { cookie: reader.cookieHeader(), address: newAddress(), origin });
  expect(await board.status).toBe(101);
  const acknowledged: string[] = [];
  const restart = async () => {
    for (const site of sites) {
      await site.restart("SIGTERM");
    }
  };
  const over = new AbortController();
  const restarted = restart().finally(() => over.abort());
  for (let round = 0; !over.signal.aborted; round += 1) {
    const name = `رسالة ${round}`;
    // Like a balancer: a request that one process did not answer goes to the other.
    const turns = round % 2 === 0 ? sites : sites.toReversed();
    await sleep(50);
    for (const site of turns) {
      const visitor = new Visitor(site, origin);
      const answer = await visitor.post("/", newText(name)).catch(() => undefined);
      if (answer?.status === 302) {
        acknowledged.push(name);
        break;
      }
    }
  }
  await restarted;
  expect(acknowledged.length).toBeGreaterThan(20);
  const names = await readMessages(outside.supabase.dataDir);
  const stored = new Set(names.map(({ name }) => name));
  expect(acknowledged.filter((name) => !stored.has(name))).toEqual([]);
  expect(stored.size).toBe(names.length);

  await board.closed;
  const again = openTab(sites[1], { cookie: reader.cookieHeader(), address: newAddress(), origin });
  expect(await again.status).toBe(101);
  again.socket.close();
});

const backupOf = async (site: RunningSite) =>
  (await (await fetch(`${site.url}/healthz`)).json()).lastBackup;

test("with the unit of DEPLOY the second process has its own port and folder, and only the first makes backups", async () => {
  expect(unit).toEqual({
    NODE_ENV: "production",
    PORT: "3001",
    BACKUP_DIR: "",
    TMPDIR: "/run/tawasul-2",
  });
  const made = { time: expect.any(String), failed: false };
  await expect.poll(() => backupOf(sites[0]), { timeout: 40_000 }).toMatchObject(made);
  expect(await backupOf(sites[1])).toBeUndefined();
  expect(await readdir(join(folder.path, "backups"))).toHaveLength(1);
});

test.runIf(hasNginx)(
  "behind nginx, as DEPLOY sets it up, the end of one process after the other is no outage",
  async () => {
    await writeFile(join(folder.path, "tawasul.conf"), await shippedFile());
    runBlock(1, folder.path);
    // In the order of a folder that nginx includes.
    const files = ["tawasul-upstream.conf", "tawasul.conf"].map((name) =>
      readFile(join(folder.path, name), "utf8"),
    );
    const [first, second] = sites.map(({ url }) => new URL(url).port);
    const file = (await Promise.all(files))
      .join("\n")
      .replace("127.0.0.1:3000", `127.0.0.1:${first}`)
      .replace("127.0.0.1:3001", `127.0.0.1:${second}`);
    expect(file).not.toMatch(/127\.0\.0\.1:300\d/);
    const port = await freePort();
    const nginx = await startNginxWith(file, port);
    onTestFinished(() => nginx.stop());
    const names: string[] = [];
    for (const site of sites) {
      await site.end("SIGKILL");
      for (let round = 0; round < 5; round += 1) {
        const visitor = new Visitor({ url: `http://localhost:${port}` }, origin);
        const name = `عبر الوسيط ${names.length}`;
        expect([(await visitor.get("/")).status, name]).toEqual([200, name]);
        expect((await visitor.post("/", newText(name))).status).toBe(302);
        names.push(name);
      }
      await site.restart("SIGTERM");
    }
    const stored = new Set((await readMessages(outside.supabase.dataDir)).map(({ name }) => name));
    expect(names.filter((name) => !stored.has(name))).toEqual([]);
  },
);
