import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, statfs, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { freePort } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { ask } from "#tests/support/visitor.ts";

const canMount =
  process.platform === "linux" &&
  process.getuid?.() === 0 &&
  spawnSync("unshare", ["--mount", "true"]).status === 0;
if (!canMount) {
  console.info("Skipped: a full disk needs root on Linux, and mount namespaces.");
}

let folder: string;
let port: number;
let site: ChildProcess;
let output = "";
beforeAll(async () => {
  if (!canMount) {
    return;
  }
  folder = await mkdtemp(join(tmpdir(), "full-disk-"));
  port = await freePort();
  await mkdir(join(folder, "disk"), { mode: 0o755 });
  start();
  await vi.waitFor(isReady, { timeout: 60_000, interval: 100 });
}, 90_000);
afterAll(async () => {
  await stop();
  await rm(folder ?? "", { recursive: true, force: true });
});

/** Starts the site in a mount namespace, where its data is on a disk of 200 MB. */
function start() {
  const disk = join(folder, "disk");
  const mount = `mount -t tmpfs -o size=200m,mode=755 tmpfs ${disk} && exec "$0" app/server/main.ts`;
  output = "";
  site = spawn("unshare", ["--mount", "sh", "-c", mount, process.execPath], {
    cwd: root,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: join(disk, "data"),
      TRUSTED_PROXIES: "loopback",
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  site.stdout?.on("data", (chunk) => (output += chunk));
  site.stderr?.on("data", (chunk) => (output += chunk));
}

async function stop() {
  if (site && site.exitCode === null) {
    site.kill("SIGTERM");
    await once(site, "exit");
  }
}

async function health(): Promise<[number, string | undefined]> {
  const response = await fetch(`http://localhost:${port}/healthz`).catch(() => undefined);
  return [response?.status ?? 0, (await response?.json().catch(() => undefined))?.disk];
}

async function isReady(): Promise<void> {
  const [status] = await health();
  if (status !== 200) {
    throw new Error(`The site is not ready: ${output}`);
  }
}

/** Sends a long message from an address of its own. Resolves to the status. */
async function send(number: number): Promise<number> {
  const message = `${number} ${"رسالة طويلة ".repeat(400)}`;
  const form = { name: "عميل", email: `${number}@example.com`, message, t_extra: "" };
  const { status } = await ask({ url: `http://localhost:${port}` }, "POST", "/", {
    headers: {
      Origin: `http://localhost:${port}`,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": `192.0.2.${number}`,
    },
    body: new URLSearchParams(form).toString(),
  });
  return status;
}

test.runIf(canMount)(
  "a full disk is said in words, by the log and by /healthz, until there is space",
  async () => {
    // The disk of the site's namespace.
    const disk = `/proc/${site.pid}/root${join(folder, "disk")}`;
    const { bavail, bsize } = await statfs(disk);
    await writeFile(join(disk, "fill"), Buffer.alloc(bavail * bsize));
    expect(await health()).toEqual([503, "full"]);
    let sent = 0;
    const statuses = new Set<number>();
    while (!statuses.has(503) && sent < 200) {
      sent += 1;
      statuses.add(await send(sent));
    }
    expect(statuses).toContain(503);
    expect(output).toMatch(/code=53100 reason="the disk is full"/);

    await rm(join(disk, "fill"));
    expect(await health()).toEqual([200, undefined]);
    expect(await send(201)).toBe(302);
  },
  120_000,
);
