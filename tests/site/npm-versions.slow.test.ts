import { execFileSync } from "node:child_process";
import { cp, mkdir, rm } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { tempFolder } from "#tests/support/folder.ts";
import { startOutside } from "#tests/support/outside.ts";
import { freePort } from "#tests/support/site.ts";
import { root, spawnServer } from "#tests/support/spawn-server.ts";

// A real npm ci of each npm that the README promises, by the Node that is installed here, in a clone.
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
/** Without what the npm that runs the tests tells its scripts. */
const env = Object.fromEntries(
  Object.entries({ ...process.env, PATH: path }).filter(([name]) => !/^npm_|^NODE/.test(name)),
);

/** Runs a command as an owner does. */
const run = (command: string, ...args: string[]) =>
  execFileSync(command, args, { cwd: clone, env, encoding: "utf8", stdio: "pipe" });

/** Installs with a version of npm. */
const install = (version: string, ...args: string[]) =>
  run("npx", "--yes", `npm@${version}`, "ci", "--prefer-offline", ...args);

/** Starts the site as `npm start` does. Resolves to what it said, when it is ready or has ended. */
async function start(settings: Record<string, string> = {}): Promise<string> {
  const data = { DATA_DIR: join(home.path, "data"), PORT: String(await freePort()) };
  const node = join(clone, "node_modules/.bin/node");
  const server = spawnServer({ ...data, ...settings }, undefined, clone, { command: node });
  await server.isReady;
  await server.end("SIGTERM");
  return server.output();
}

// The oldest and the newest.
test.each(["9.2.0", "11"])(
  "the site is installed by npm %s, built at the start, and runs",
  async (version) => {
    await rm(join(clone, "build"), { recursive: true, force: true });
    install(version);
    const said = await start();
    expect(said).toContain("Building the pages");
    expect(said).toContain("Tawasul is ready");
    expect(said).not.toMatch(/ error |PLUGIN_TIMINGS/);
  },
  600_000,
);

test("with --omit=dev and --omit=optional a site that was built runs on a hosted Supabase, and says so without", async () => {
  install("9.2.0", "--omit=dev", "--omit=optional");
  expect(await start()).toMatch(
    / error The packages of the embedded Supabase are missing: [^\n]+\n$/,
  );
  const outside = await startOutside();
  expect(await start(outside.env)).toContain("Tawasul is ready");
  await outside.close();
}, 600_000);
