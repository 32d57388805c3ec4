import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { request } from "node:http";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { availableText } from "#app/routes/home/contact.server.ts";
import manifest from "#package.json" with { type: "json" };
import { copyCluster } from "#tests/support/cluster-template.ts";
import { clockScript } from "#tests/support/site-clock.ts";
import { freePort } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
let port: number;
let server: ReturnType<typeof spawnServer>;
afterEach(async () => void (await server.end("SIGTERM")));

async function start(args?: string[], how?: Parameters<typeof spawnServer>[3]) {
  const DATA_DIR = join(folder.path, "data");
  await copyCluster(DATA_DIR);
  port = await freePort();
  server = spawnServer({ PORT: String(port), DATA_DIR }, args, root, how);
}

/** Starts the site with a script that runs before it. */
const startAfter = (script: string) =>
  start([`--import=data:text/javascript,${encodeURIComponent(script)}`, "app/server/main.ts"]);

const url = (path: string) => `http://localhost:${port}${path}`;
const answers = () =>
  fetch(url("/healthz")).then(
    ({ ok }) => ok,
    () => false,
  );
const untilReady = () => expect.poll(answers, { timeout: 40_000 }).toBe(true);

test("SIGTERM to `npm start`, whose log nobody reads any more, and Ctrl-C in its terminal end the site, and free its port and data", async () => {
  await start(["start"], { command: "npm" });
  const { stdout, stderr } = server.child;
  stdout.once("data", () => {
    stdout.destroy();
    stderr.destroy();
  });
  await untilReady();
  // The site then has something to log.
  for (let round = 0; round < 3; round += 1) {
    await fetch(url("/nowhere"));
  }
  expect(await answers()).toBe(true);
  expect(await server.end("SIGTERM")).toBe(0);
  expect(await answers()).toBe(false);
  await start(["start"], { command: "npm", detached: true });
  await untilReady();
  // Both the terminal and npm pass the signal on.
  process.kill(-Number(server.child.pid), "SIGINT");
  await once(server.child, "close");
  expect(server.output().match(/Stopping/g)).toHaveLength(1);
  expect(server.output()).toMatch(/info +Stopped/);
});

test("it answers nobody before it is ready, its first answer is the page, and SIGHUP of a closed terminal ends it in order", async () => {
  await start();
  let status: number | undefined;
  while (status === undefined) {
    status = await fetch(url("/")).then(
      (answer) => answer.status,
      () => undefined,
    );
  }
  expect(status).toBe(200);
  expect(await server.end("SIGHUP")).toBe(0);
  expect(server.output()).toMatch(/Stopping signal=SIGHUP\n[^]*info +Stopped\n$/);
});

async function availability(): Promise<string | undefined> {
  const text = await (await fetch(url("/"))).text();
  return /متاح لمشاريع جديدة[^<]*/.exec(text)?.[0];
}

test.runIf(owner.available)(
  "from the owner's midnight the page says that the day of new projects has come",
  async () => {
    const available = owner.available ?? "";
    const eve = Date.parse(available) - 24 * 60 * 60 * 1000;
    const clock = clockScript(eve, eve + 2 * 24 * 60 * 60 * 1000);
    await start([`--import=${clock}`, "app/server/main.ts"]);
    await untilReady();
    expect(await availability()).toBe(availableText(available, new Date(eve)));
    server.child.kill("SIGUSR2");
    await expect.poll(availability).toBe("متاح لمشاريع جديدة");
  },
);

test("SIGUSR1 opens no debugger, however the site is started in production, and a second SIGTERM ends it at once", async () => {
  const [unit, image] = await Promise.all(
    [".github/tawasul.service", "Dockerfile"].map((file) => readFile(join(root, file), "utf8")),
  );
  const [, command = ""] = /^ExecStart=\S+\/node (.+)$/m.exec(unit ?? "") ?? [];
  expect(JSON.parse(/^CMD (.+)$/m.exec(image ?? "")?.[1] ?? "")).toEqual([
    "node",
    ...command.split(" "),
  ]);
  expect(manifest.scripts.start).toMatch(new RegExp(`exec node ${command}$`));
  await start(command.split(" "));
  await untilReady();
  server.child.kill("SIGUSR1");
  for (let round = 0; round < 3; round += 1) {
    expect(await answers()).toBe(true);
  }

  // Another signal after a second ends a site that waits for a request.
  const slow = request(url("/"), {
    method: "POST",
    headers: {
      "Content-Type": "application/x-www-form-urlencoded",
      "Content-Length": 100,
      Expect: "100-continue",
    },
  });
  slow.on("error", () => undefined).flushHeaders();
  await once(slow, "continue");
  server.child.kill("SIGTERM");
  await sleep(1_500);
  server.child.kill("SIGTERM");
  expect(await once(server.child, "close")).toEqual([1, null]);
  expect(server.output()).toContain("The site ends at once because of a second signal");
  expect(server.output()).not.toContain("Debugger");
});

test("an uncaught error ends the site, and is one line of its log", async () => {
  await startAfter(`
    const timer = setInterval(() => {
      if (process.listenerCount("uncaughtException") > 0) {
        clearInterval(timer);
        throw new Error("a fault\\nof two lines");
      }
    }, 50);`);
  expect(await once(server.child, "close")).toEqual([1, null]);
  expect(server.output()).toMatch(
    /^\S+ error The site ends because of an uncaught error stack="Error: a fault \| of two lines \| at .*\n/m,
  );
});
