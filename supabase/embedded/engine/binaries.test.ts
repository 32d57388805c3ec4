import { mkdir, readdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { afterEach, expect, test } from "vitest";
import { useFolder } from "#embedded/tests/support/use-folder.ts";
import { copyBinaries } from "./binaries.ts";

const folder = useFolder();
const umask = process.umask();
afterEach(() => void process.umask(umask));

test("a copy made under a narrow umask can be run by all users", async () => {
  process.umask(0o077);
  const found = join(folder.path, "package");
  await mkdir(join(found, "native/bin"), { recursive: true });
  await mkdir(join(found, "native/share"));
  await writeFile(join(found, "native/bin/postgres"), "", { mode: 0o700 });
  await writeFile(join(found, "native/share/postgres.bki"), "", { mode: 0o600 });
  const links = [{ source: "native/bin/postgres", target: "native/bin/postmaster" }];
  await writeFile(join(found, "native/pg-symlinks.json"), JSON.stringify(links));
  const copies = join(folder.path, "copies");

  await copyBinaries(found, join(copies, "postgresql-1"));

  const modes = await Promise.all(
    ["", "postgresql-1", "postgresql-1/bin", "postgresql-1/bin/postmaster"].map(
      async (path) => (await stat(join(copies, path))).mode & 0o777,
    ),
  );
  expect(modes).toEqual([0o755, 0o755, 0o755, 0o755]);
  expect((await stat(join(copies, "postgresql-1/share/postgres.bki"))).mode & 0o777).toBe(0o644);
  expect(await readdir(copies)).toEqual(["postgresql-1"]);
});
