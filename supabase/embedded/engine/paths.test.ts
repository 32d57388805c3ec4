import { mkdir, readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFolder } from "#embedded/tests/support/use-folder.ts";
import { openDataDir } from "./paths.ts";

const folder = useFolder();

test("a folder with other things is no data folder, and nothing is written to it", async () => {
  await mkdir(join(folder.path, "database"));
  await writeFile(join(folder.path, ".gitignore"), "node_modules\n");
  await writeFile(join(folder.path, "package.json"), "{}");
  await expect(openDataDir(folder.path)).rejects.toMatchObject({
    code: "foreign",
    message: `The folder ${folder.path} has other things in it (package.json).`,
  });
  expect(await readdir(folder.path)).toEqual([".gitignore", "database", "package.json"]);
  expect(await readFile(join(folder.path, ".gitignore"), "utf8")).toBe("node_modules\n");
});

test("where nobody can make a folder, one sentence says why", async () => {
  // Node's own mkdir tries for ever.
  await expect(openDataDir("/proc/data")).rejects.toMatchObject({
    code: "unusable",
    message: expect.stringMatching(/^The folder \/proc\/data cannot be written: ENOENT/),
  });
});
