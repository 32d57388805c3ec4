import { execFileSync, spawnSync } from "node:child_process";
import { cp, mkdir, readdir, rename, rm, utimes, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "#tests/support/folder.ts";
import { startOutside } from "#tests/support/outside.ts";
import { freePort } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";
import { databaseUrl } from "#tests/support/superuser.ts";

// A real npm ci of the oldest npm that the README promises, by the Node that is installed here, in a clone.
const home = await tempFolder();
const clone = join(home.path, "site");
beforeAll(async () => {
  const list = ["ls-files", "-z", "--cached", "--others", "--exclude-standard"];
  const files = execFileSync("git", list, { cwd: root, encoding: "utf8" }).split("\0");
  for (const file of files.filter(Boolean)) {
    await mkdir(dirname(join(clone, file)), { recursive: true });
    await cp(join(root, file), join(clone, file)).catch(ignoreDeleted);
  }
});
afterAll(() => home[Symbol.asyncDispose]());

/** A file that is deleted in the working copy, and not yet in git. */
function ignoreDeleted(error: NodeJS.ErrnoException) {
  if (error.code !== "ENOENT") {
    throw error;
  }
}

// npm test puts the package node first.
const path = (process.env["PATH"] ?? "")
  .split(":")
  .filter((folder) => !folder.includes("node_modules"))
  .join(":");
/** The environment without the variables that npm sets for the scripts of the tests. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, PATH: path }).filter(([name]) => !/^npm_|^NODE/.test(name)),
);

/** Runs a command as an owner does. */
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: clone, env, encoding: "utf8", stdio: "pipe" });

/** Runs a version of npm. */
const npm = (version: string, ...args: string[]) =>
  run("npx", "--yes", `npm@${version}`, ...args, "--prefer-offline");

/** Starts the site as `npm start` does. Resolves to what it printed, when it is ready or has ended. */
async function start(settings: Record<string, string> = {}): Promise<string> {
  const data = { DATA_DIR: join(home.path, "data"), PORT: String(await freePort()) };
  const node = join(clone, "node_modules/.bin/node");
  const server = spawnServer({ ...data, ...settings }, undefined, clone, { command: node });
  await server.isReady;
  await server.end("SIGTERM");
  return server.output();
}

// The newest npm installs in each run of the tests on a new Node.
test("the site is installed, built at the start, and keeps files of earlier builds for a month", async () => {
  const assets = join(clone, "build/client/assets");
  await mkdir(assets, { recursive: true });
  for (const [name, days] of [
    ["recent.js", 29],
    ["old.js", 31],
    ["old.js.br", 31],
  ] as const) {
    const at = new Date(Date.now() - days * 24 * 60 * 60 * 1000);
    await writeFile(join(assets, name), "export {};");
    await utimes(join(assets, name), at, at);
  }
  npm("9.2.0", "ci");
  const printed = await start();
  expect(printed).toContain("Building the pages");
  expect(printed).toContain("Tawasul is ready");
  expect(printed).not.toMatch(/ error |PLUGIN_TIMINGS/);
  const kept = await readdir(assets);
  expect(kept.filter((name) => /^(recent|old)/.test(name)).toSorted()).toEqual([
    "recent.js",
    "recent.js.br",
  ]);
  const plain = kept.filter((name) => /\.(js|css)$/.test(name));
  expect(plain.filter((name) => !kept.includes(`${name}.br`))).toEqual([]);
}, 600_000);

/** Runs a program of the clone. Returns its exit code and what it printed. */
function runNode(settings: Record<string, string>, ...args: string[]) {
  const all = { ...env, ...settings };
  const { status, stderr, stdout } = spawnSync(process.execPath, args, { cwd: clone, env: all });
  return { status, errors: String(stderr), output: String(stdout) };
}

const command = (name: string) => `app/server/commands/${name}.ts`;

test("with --omit=dev and --omit=optional a site that was built runs on a hosted Supabase, and says so without", async () => {
  // This leaves out what npm ci would, without installing the others again.
  npm("11", "prune", "--omit=dev", "--omit=optional");
  const missing = /^The packages of the embedded Supabase are missing: [^\n]+\n$/;
  expect(await start()).toMatch(/ error The packages of the embedded Supabase are missing: .*\n$/);
  const outside = await startOutside();
  // The sources are newer than the build, and nothing can be built here.
  const soon = new Date(Date.now() + 1000);
  await utimes(join(clone, "public/icon.svg"), soon, soon);
  const printed = await start(outside.env);
  expect(printed).toContain("Tawasul is ready");
  expect(printed).toMatch(
    /warn +The pages are older than their sources, and cannot be built here \(the packages/,
  );

  const hosted = {
    SUPABASE_URL: outside.env.SUPABASE_URL,
    SUPABASE_DB_URL: await databaseUrl(outside.supabase.dataDir),
    BACKUP_DIR: join(home.path, "backups"),
  };
  const made = runNode(hosted, command("backup"));
  expect([made.errors, made.output]).toEqual([
    "",
    expect.stringContaining("complete and verified"),
  ]);
  const [file = ""] = made.output.split(" ");
  const restored = runNode(hosted, command("restore"), file);
  expect([restored.errors, restored.output]).toEqual(["", expect.stringContaining("limits")]);
  const alone = runNode({ DATA_DIR: join(home.path, "new") }, command("restore"), file);
  expect(alone.errors).toMatch(missing);
  await outside.close();
}, 600_000);

/** Starts the site, which should refuse. */
const refusedStart = async () =>
  runNode({ DATA_DIR: join(home.path, "x"), PORT: String(await freePort()) }, "app/server/main.ts");

test("without a build, and with packages that npm copied instead of linking, the start says what to do", async () => {
  const build = join(clone, "build");
  await rename(build, `${build}.away`);
  const unbuilt = await refusedStart();
  await rename(`${build}.away`, build);
  expect(unbuilt.errors).toMatch(/^\S+ error The pages are not built, and the packages .*\n$/);
  const linked = join(clone, "node_modules/embedded-supabase");
  await rm(linked, { recursive: true, force: true });
  await cp(join(root, "supabase/embedded"), linked, { recursive: true });
  const copied = await refusedStart();
  expect(copied.errors).toMatch(
    / error npm has copied supabase\/embedded [^\n]+: run npm ci --install-links=false\.\n$/,
  );
  expect([unbuilt.status, copied.status]).toEqual([1, 1]);
});

test("an npm that runs with a Node that is too old is refused by name, before anything is built", () => {
  for (const file of ["check-node.mjs", "check-npm.mjs"]) {
    const { status, stdout, stderr } = spawnSync(process.execPath, [`app/server/${file}`], {
      cwd: root,
      env: { ...process.env, npm_config_user_agent: "npm/9.2.0 node/v18.20.4 linux x64" },
      encoding: "utf8",
    });
    expect(stderr).toMatch(/^npm runs with Node 18\.20\.4, which is too old .*\n$/);
    expect([stdout, status]).toEqual(["", 1]);
  }
});

test("on Windows one sentence names WSL, before anything else", () => {
  const platform = 'Object.defineProperty(process, "platform", { value: "win32" })';
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [
      "--import",
      `data:text/javascript,${encodeURIComponent(platform)}`,
      "app/server/check-node.mjs",
    ],
    { cwd: root, encoding: "utf8" },
  );
  expect(stderr).toMatch(/^The site does not run on Windows itself, but in WSL: [^\n]*\n$/);
  expect([stdout, status]).toEqual(["", 1]);
});

/** An installed Node older than the site's own, if there is one. */
const oldNode = (process.env["PATH"] ?? "")
  .split(":")
  .map((place) => join(place, "node"))
  .find((node) => {
    const { stdout } = spawnSync(node, ["--version"], { encoding: "utf8" });
    return stdout && Number.parseInt(stdout.slice(1), 10) < 24;
  });
if (oldNode === undefined) {
  console.info("Skipped: a Node that is too old needs one on the PATH.");
}

test.runIf(oldNode)("a Node that is too old gets a one-line error", () => {
  const { status, stderr } = spawnSync(oldNode ?? "", ["app/server/check-node.mjs"], {
    cwd: root,
    encoding: "utf8",
  });
  expect(stderr).toMatch(/^Node \S+ is too old: the site needs 24 or later\. [^\n]*\n$/);
  expect(status).toBe(1);
});
