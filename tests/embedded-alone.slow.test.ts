import { execFile } from "node:child_process";
import { cp, mkdir, symlink } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { tempFolder } from "#tests/support/folder.ts";
import { root } from "#tests/support/spawn-server.ts";

// Its other tests run with those of the site. None imports more: its package.json has no name for it, and
// the linter refuses "../".
test("the embedded Supabase passes its tests where the rest of the repository is missing", async () => {
  await using folder = await tempFolder();
  await mkdir(join(folder.path, "supabase"));
  for (const part of ["package.json", "package-lock.json", "supabase/embedded"]) {
    await cp(join(root, part), join(folder.path, part), { recursive: true });
  }
  await symlink(join(root, "node_modules"), join(folder.path, "node_modules"));
  const config = "supabase/embedded/tests/vitest.config.ts";
  const files = ["tests/site", "calls", "rest/statements"];
  const args = ["node_modules/vitest/vitest.mjs", "run", "--config", config, ...files];
  const env = { PATH: process.env["PATH"], TMPDIR: process.env["TMPDIR"], NO_COLOR: "1" };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: folder.path, env });
  expect(stdout).toMatch(/Test Files +3 passed/);
});
