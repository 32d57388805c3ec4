import { execFileSync, spawnSync } from "node:child_process";
import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { isRoot, useFolder } from "#tests/support/engine.ts";

const folder = useFolder();

/** Root may give a process an /etc of its own, except in some containers. */
const hasNamespaces = isRoot && spawnSync("unshare", ["--mount", "true"]).status === 0;

test.runIf(hasNamespaces)("the creation of the system user is logged once", async () => {
  const etc = join(folder.path, "etc");
  await cp("/etc", etc, { recursive: true, verbatimSymlinks: true });
  for (const name of ["passwd", "shadow", "group", "gshadow"]) {
    const file = join(etc, name);
    const lines = (await readFile(file, "utf8").catch(() => "")).split("\n");
    await rm(file, { force: true });
    await writeFile(file, lines.filter((line) => !line.startsWith("tawasul:")).join("\n"));
  }
  const module = new URL("../../supabase/embedded/engine/system-user.ts", import.meta.url);
  const script = `
    import { postgresUser } from "${module.href}";
    for (let call = 0; call < 2; call += 1) {
      console.log(postgresUser(console).uid > 0);
    }`;
  const command = 'mount --bind "$0" /etc && exec "$@"';
  const node = [process.execPath, "--input-type=module", "--eval", script];
  const output = execFileSync("unshare", ["--mount", "sh", "-c", command, etc, ...node], {
    encoding: "utf8",
  });
  expect(output.trim().split("\n")).toEqual([
    "The system user tawasul was created, because PostgreSQL does not run as root.",
    "true",
    "true",
  ]);
});
