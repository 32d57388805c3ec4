import { execFile } from "node:child_process";
import { globSync } from "node:fs";
import { relative } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import manifest from "#package.json" with { type: "json" };
import { root } from "./support/spawn-server.ts";

const { scripts } = manifest;

/** What a runner's list of tests is asked for, and the files in it. */
const runners = {
  "test:unit": {
    list: (args: string) => `${args.replace("vitest run", "vitest list")} --filesOnly --json`,
    files: (list: string) =>
      (JSON.parse(list) as { file: string }[]).map(({ file }) => relative(root, file)),
  },
  "test:e2e": {
    list: (args: string) => `${args} --list`,
    // Narrow letters show files of both commands again.
    files: (list: string) =>
      Array.from(list.matchAll(/\[(?:quick|slow)\] › ([\w.-]+\.test\.ts)/g))
        .map(([, name]) => `tests/e2e/${name}`)
        .filter((file, index, all) => all.indexOf(file) === index),
  },
};

/** Returns the files of tests that a command gives to both runners. */
async function filesOf(command: string): Promise<string[]> {
  const lists = Object.entries(runners).map(async ([name, { list, files }]) => {
    const [, options = ""] = new RegExp(`npm run ${name} -- (--project \\S+)`).exec(command) ?? [];
    const line = list(`node_modules/.bin/${scripts[name as keyof typeof runners]} ${options}`);
    const { stdout } = await promisify(execFile)("sh", ["-c", line], {
      cwd: root,
      // A list needs no browser, and unpacking one takes seconds.
      env: { ...process.env, NO_COLOR: "1", CHROME_PATH: "none" },
      maxBuffer: 16 * 1024 ** 2,
    });
    return files(stdout);
  });
  return (await Promise.all(lists)).flat();
}

test("npm test and npm run test:slow run every file of tests, and each is in one of them", async () => {
  const files = globSync("{app,supabase,tests}/**/*.test.ts", { cwd: root });
  const quick = await filesOf(scripts.test);
  const slow = await filesOf(scripts["test:slow"]);
  expect([...quick, ...slow].toSorted()).toEqual(files.toSorted());
  expect(slow.filter((file) => !file.endsWith(".slow.test.ts"))).toEqual([]);
});
