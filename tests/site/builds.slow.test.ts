import { execFile } from "node:child_process";
import { mkdir, readdir, rm, utimes } from "node:fs/promises";
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

/** What a build does after the bundler, which has written one script. */
const endOfBuild = (script: string) => `
  import { writeFile } from "node:fs/promises";
  import { compressAssets, dropOldAssets } from "./app/server/pages/build.ts";
  await writeFile("build/client/assets/${script}", "export {};");
  await dropOldAssets();
  await compressAssets();`;

test("a build keeps the files of the previous build, and of no earlier one", async () => {
  const env = { ...process.env, NODE_ENV: "production" };
  for (const script of ["first.js", "second.js"]) {
    const args = ["--input-type=module", "-e", endOfBuild(script)];
    await run(process.execPath, args, { cwd: project, env });
  }
  expect((await readdir(assets)).toSorted()).toEqual(
    ["first", "second"].flatMap((name) => [`${name}.js`, `${name}.js.br`, `${name}.js.gz`]),
  );
  await run(process.execPath, ["node_modules/.bin/react-router", "build"], { cwd: project, env });
  const kept = await readdir(assets);
  expect(kept.filter((name) => name.startsWith("first"))).toEqual([]);
  expect(kept.filter((name) => name.startsWith("second"))).toHaveLength(3);
  // The script and its two compressed copies.
  expect(kept.filter((name) => name.startsWith("entry.client"))).toHaveLength(3);
});

/** Returns what the start of a site says about its build. */
async function buildWhenNeeded(): Promise<string> {
  const module = "./app/server/pages/build.ts";
  const script = `const { buildWhenNeeded } = await import("${module}"); await buildWhenNeeded();`;
  const args = ["--input-type=module", "-e", script];
  const { stdout, stderr } = await run(process.execPath, args, { cwd: project });
  return stdout + stderr;
}

// Of a changed source production-install.slow.test.ts shows it, where nothing can be built.
test("a start builds the pages again after a change of package.json", async () => {
  expect(await buildWhenNeeded()).toBe("");
  const soon = new Date(Date.now() + 1000);
  await utimes(join(project, "package.json"), soon, soon);
  expect(await buildWhenNeeded()).toContain("Building the pages");
});
