import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, rm, statfs, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "#tests/support/folder.ts";
import { freePort } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";
import { Visitor } from "#tests/support/visitor.ts";

const canMount =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!canMount) {
  console.info("Skipped: a full disk needs root on Linux, and mount namespaces.");
}

let folder: Awaited<ReturnType<typeof tempFolder>>;
let url: string;
/** The process with the mount namespace, where the data is on a disk of 200 MB. */
let holder: ChildProcess;
let server: ReturnType<typeof spawnServer>;
const disk = () => join(folder.path, "disk");
beforeAll(async () => {
  if (!canMount) {
    return;
  }
  folder = await tempFolder();
  await mkdir(disk(), { mode: 0o755 });
  const mount = `mount -t tmpfs -o size=200m,mode=755 tmpfs ${disk()} && echo && exec sleep infinity`;
  holder = spawn("unshare", ["--mount", "sh", "-c", mount], {
    stdio: ["ignore", "pipe", "inherit"],
  });
  await once(holder.stdout ?? holder, "data");
  await start();
});
afterAll(async () => {
  await server?.end("SIGTERM");
  holder?.kill();
  await folder?.[Symbol.asyncDispose]();
});

/** Starts the site in the namespace. */
async function start(): Promise<void> {
  const PORT = String(await freePort());
  url = `http://localhost:${PORT}`;
  const env = { PORT, DATA_DIR: join(disk(), "data"), TRUSTED_PROXIES: "loopback" };
  const into = ["--target", String(holder.pid), "--mount", `--wdns=${root}`];
  const args = [...into, process.execPath, "app/server/main.ts"];
  server = spawnServer(env, args, root, { command: "nsenter" });
  if (!(await server.isReady)) {
    throw new Error(server.output());
  }
}

async function health(): Promise<[number, string | undefined]> {
  const response = await fetch(`${url}/healthz`);
  return [response.status, (await response.json()).disk];
}

let sent = 0;
/** Sends a long message. Resolves to the status. */
async function send(): Promise<number> {
  sent += 1;
  const message = `${sent} ${"رسالة طويلة ".repeat(400)}`;
  const form = { name: "عميل", email: `${sent}@example.com`, message, t_extra: "" };
  return (await new Visitor({ url }).post("/", form)).status;
}

const errors = () => server.output().match(/^.* error .*$/gm);

test.runIf(canMount)(
  "the log and /healthz name a full disk until there is space, and the site starts on it",
  async () => {
    // The disk of the namespace.
    const inside = `/proc/${holder.pid}/root${disk()}`;
    const { bavail, bsize } = await statfs(inside);
    await writeFile(join(inside, "fill"), Buffer.alloc(bavail * bsize));
    expect(await health()).toEqual([503, "full"]);
    // A host that restarts the site by this check leaves it, because a restart would not help.
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    const statuses = new Set<number>();
    while (!statuses.has(503) && sent < 200) {
      statuses.add(await send());
    }
    expect(statuses).toContain(503);
    for (let form = 0; form < 5; form += 1) {
      await send();
    }
    await expect
      .poll(errors)
      .toEqual([expect.stringMatching(/ error The disk is full: .* count=1$/)]);

    // PostgreSQL needs the few bytes of its postmaster.pid, which it has given back.
    for (const signal of ["SIGTERM", "SIGKILL"] as const) {
      await server.end(signal);
      await start();
      expect(await health()).toEqual([503, "full"]);
      for (const page of ["/", "/auth", "/privacy"]) {
        expect((await fetch(`${url}${page}`)).status).toBe(200);
      }
      expect(await send()).toBe(503);
    }

    await rm(join(inside, "fill"));
    await expect.poll(health, { timeout: 30_000 }).toEqual([200, undefined]);
    expect(await send()).toBe(302);
  },
);
