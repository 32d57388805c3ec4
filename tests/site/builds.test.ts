import { execFile } from "node:child_process";
import { mkdir, readdir, rm } from "node:fs/promises";
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
