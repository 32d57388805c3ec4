import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { request } from "node:http";
import { join, resolve } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { afterEach, beforeEach, expect, test } from "vitest";
import { copyCluster } from "#tests/support/cluster-template.ts";
import { freePort } from "#tests/support/site.ts";
import { root } from "#tests/support/spawn-server.ts";
import { useFolder } from "#tests/support/use-folder.ts";

const folder = useFolder();
let port: number;
let child: ChildProcess;
beforeEach(async () => {
  port = await freePort();
});
afterEach(async () => {
  if (child.exitCode === null && child.signalCode === null) {
    child.kill("SIGTERM");
    await once(child, "exit");
  }
});

interface Start {
  command?: [string, ...string[]];
  cwd?: string;
  dataDir?: string;
  output?: "pipe" | number;
  /** In a process group of its own, as in a terminal. */
  detached?: boolean;
}

async function start({
  command,
  cwd = root,
  dataDir = join(folder.path, "data"),
  output = "pipe",
  detached = false,
}: Start = {}) {
  await copyCluster(resolve(root, dataDir));
  const [file, ...args] = command ?? [process.execPath, join(root, "app/server/main.ts")];
  child = spawn(file, args, {
    cwd,
    detached,
    env: {
      ...process.env,
      NODE_ENV: "production",
      PORT: String(port),
      DATA_DIR: dataDir,
    },
    stdio: ["ignore", output, output],
  });
}

const url = (path: string) => `http://localhost:${port}${path}`;
const answers = () =>
  fetch(url("/healthz")).then(
    ({ ok }) => ok,
    () => false,
  );
const untilReady = () => expect.poll(answers, { timeout: 40_000 }).toBe(true);

/** Collects what the process writes. */
function listen() {
  let text = "";
  child.stdout?.on("data", (chunk) => (text += chunk));
  child.stderr?.on("data", (chunk) => (text += chunk));
  return () => text;
}

test("SIGTERM to `npm start` and Ctrl-C in its terminal end the site, and free its port and data", async () => {
  await start({ command: ["npm", "start"] });
  await untilReady();
  child.kill("SIGTERM");
  expect(await once(child, "exit")).toEqual([0, null]);
  expect(await answers()).toBe(false);
  await start({ command: ["npm", "start"], detached: true });
  const said = listen();
  await untilReady();
  // The terminal and npm both pass it on.
  process.kill(-Number(child.pid), "SIGINT");
  await once(child, "close");
  expect(said().match(/Stopping/g)).toHaveLength(1);
  expect(said()).toMatch(/info +Stopped/);
});

test("another signal after a second ends a site that waits for a request", async () => {
  await start();
  const said = listen();
  await untilReady();
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
  child.kill("SIGTERM");
  await sleep(1_500);
  child.kill("SIGTERM");
  expect(await once(child, "close")).toEqual([1, null]);
  expect(said()).toContain("The site is ended by a second signal");
});

/** Gives it something to log. Returns whether it goes on. */
async function outlivesItsLog(): Promise<boolean> {
  await untilReady();
  for (let round = 0; round < 3; round += 1) {
    await fetch(url("/nowhere"));
  }
  return answers();
}

test("the site outlives the reader of its log", async () => {
  await start({ command: ["npm", "start"] });
  child.stdout?.once("data", () => {
    child.stdout?.destroy();
    child.stderr?.destroy();
  });
  expect(await outlivesItsLog()).toBe(true);
});

test("an uncaught error ends the site, and is one line of its log", async () => {
  const fault = `
    const timer = setInterval(() => {
      if (process.listenerCount("uncaughtException") > 0) {
        clearInterval(timer);
        throw new Error("a fault\\nof two lines");
      }
    }, 50);`;
  const hook = `--import=data:text/javascript,${encodeURIComponent(fault)}`;
  await start({ command: [process.execPath, hook, join(root, "app/server/main.ts")] });
  let faults = "";
  child.stderr?.on("data", (chunk) => (faults += chunk));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(faults.trimEnd().split("\n").at(-1)).toMatch(
    /^\S+ error The site ends, because nothing caught an error stack="Error: a fault \| of two lines \| at /,
  );
});

test("without the optional packages the start fails with a one-line error", async () => {
  const hook = `
    import { registerHooks } from "node:module";
    registerHooks({
      resolve(name, context, next) {
        return next(name === "pg" ? "a-package-that-is-not-installed" : name, context);
      },
    });`;
  const missing = `--import=data:text/javascript,${encodeURIComponent(hook)}`;
  await start({ command: [process.execPath, missing, join(root, "app/server/main.ts")] });
  let output = "";
  child.stderr?.on("data", (chunk) => (output += chunk));
  expect(await once(child, "close")).toEqual([1, null]);
  expect(output).toMatch(
    /^\S+ error The packages of the embedded Supabase are missing: run npm ci without --omit=optional, or set SUPABASE_URL\.\n$/,
  );
});
