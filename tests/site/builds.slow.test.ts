import { execFile } from "node:child_process";
import { mkdir, readdir, rm, utimes, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject } from "#tests/support/project-copy.ts";

const run = promisify(execFile);

let project: string;
let assets: string;
beforeAll(async () => {
  project = await copyProject();
  assets = join(project, "build/client/assets");
  await mkdir(assets, { recursive: true });
});
afterAll(() => rm(project, { recursive: true, force: true }));

test("a build compresses its files, and keeps those of earlier builds for a month", async () => {
  const dayMs = 24 * 60 * 60 * 1000;
  for (const [name, days] of [
    ["recent.js", 29],
    ["old.js", 31],
    ["old.js.br", 31],
  ] as const) {
    const file = join(assets, name);
    const at = new Date(Date.now() - days * dayMs);
    await writeFile(file, "export {};");
    await utimes(file, at, at);
  }
  const env = { ...process.env, NODE_ENV: "production" };
  await run(process.execPath, ["node_modules/.bin/react-router", "build"], { cwd: project, env });
  const kept = await readdir(assets);
  expect(kept.filter((name) => /^(recent|old)/.test(name)).toSorted()).toEqual([
    "recent.js",
    "recent.js.br",
  ]);
  for (const name of kept.filter((file) => /\.(js|css)$/.test(file))) {
    expect(kept).toContain(`${name}.br`);
  }
});

/** Returns what the start of a site says about its build. */
async function buildWhenNeeded(): Promise<string> {
  const module = "./app/server/pages/build.ts";
  const script = `const { buildWhenNeeded } = await import("${module}"); await buildWhenNeeded();`;
  const args = ["--input-type=module", "-e", script];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: project });
  return stdout + stderr;
}

// Of a changed source installs.slow.test.ts shows it, where nothing can be built.
test("a start builds the pages again after a change of package.json", async () => {
  expect(await buildWhenNeeded()).toBe("");
  const soon = new Date(Date.now() + 1000);
  await utimes(join(project, "package.json"), soon, soon);
  expect(await buildWhenNeeded()).toContain("Building the pages");
});
