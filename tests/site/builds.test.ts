import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdir, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { copyProject } from "#tests/support/project-copy.ts";
import { root } from "#tests/support/site.ts";

let project: string;
beforeAll(async () => {
  project = await copyProject();
});
afterAll(() => rm(project, { recursive: true, force: true }));

/** Builds the project with a changed script; returns the names of all assets. */
async function build(change: string): Promise<string[]> {
  const entry = join(project, "app/entry.client.tsx");
  const source = await readFile(join(root, "app/entry.client.tsx"), "utf8");
  await writeFile(entry, `${source}\nconsole.debug("${change}");\n`);
  const cli = join(root, "node_modules/.bin/react-router");
  const env = { ...process.env, NODE_ENV: "production" };
  const builder = spawn(process.execPath, [cli, "build"], { cwd: project, env, stdio: "ignore" });
  expect(await once(builder, "exit")).toEqual([0, null]);
  const names = await readdir(join(project, "build/client/assets"));
  return names.toSorted();
}

test("a build keeps the files of the previous build, and of no earlier one", async () => {
  const first = await build("first");
  const second = await build("second");
  const third = await build("third");
  const ofFirst = first.filter((name) => name.startsWith("entry.client"));
  const ofSecond = second.filter(
    (name) => name.startsWith("entry.client") && !first.includes(name),
  );
  // The script and its two compressed copies.
  expect([ofFirst.length, ofSecond.length]).toEqual([3, 3]);
  expect(second).toEqual(expect.arrayContaining(first));
  expect(third).toEqual(expect.arrayContaining(ofSecond));
  expect(third.filter((name) => ofFirst.includes(name))).toEqual([]);
});
