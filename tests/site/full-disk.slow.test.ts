import { spawnSync } from "node:child_process";
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
let server: ReturnType<typeof spawnServer>;
const disk = () => join(folder.path, "disk");
beforeAll(async () => {
  if (!canMount) {
    return;
  }
  folder = await tempFolder();
  await mkdir(disk(), { mode: 0o755 });
  const PORT = String(await freePort());
  url = `http://localhost:${PORT}`;
  const env = { PORT, DATA_DIR: join(disk(), "data"), TRUSTED_PROXIES: "loopback" };
  // In a mount namespace, where its data is on a disk of 200 MB.
  const mount = `mount -t tmpfs -o size=200m,mode=755 tmpfs ${disk()} && exec "$0" app/server/main.ts`;
  const args = ["--mount", "sh", "-c", mount, process.execPath];
  server = spawnServer(env, args, root, { command: "unshare" });
  if (!(await server.isReady)) {
    throw new Error(server.output());
  }
});
afterAll(async () => {
  await server?.end("SIGTERM");
  await folder?.[Symbol.asyncDispose]();
});

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

test.runIf(canMount)(
  "a full disk is said in words, by the log and by /healthz, until there is space",
  async () => {
    // The disk of the site's namespace.
    const inside = `/proc/${server.child.pid}/root${disk()}`;
    const { bavail, bsize } = await statfs(inside);
    await writeFile(join(inside, "fill"), Buffer.alloc(bavail * bsize));
    expect(await health()).toEqual([503, "full"]);
    // A host that restarts by this one does not: the site would refuse to start.
    expect((await fetch(`${url}/livez`)).status).toBe(200);
    const statuses = new Set<number>();
    while (!statuses.has(503) && sent < 200) {
      statuses.add(await send());
    }
    expect(statuses).toContain(503);
    for (let form = 0; form < 5; form += 1) {
      await send();
    }
    const said = () => server.output().match(/^.* error .*$/gm);
    await expect
      .poll(said)
      .toEqual([expect.stringMatching(/ error The disk is full: .* count=1$/)]);

    await rm(join(inside, "fill"));
    await expect.poll(health, { timeout: 30_000 }).toEqual([200, undefined]);
    expect(await send()).toBe(302);
  },
);
