import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { useFolder } from "#embedded/tests/support/use-folder.ts";
import { ensureCluster } from "./initdb.ts";

const folder = useFolder();

/** Lines that initdb wrote where it failed. */
const said = {
  "no /dev/null": [
    "sh: 1: cannot create /dev/null: Permission denied",
    'initdb: removing contents of data directory "data"',
  ],
  "a full disk": [
    "2026-11-28 10:00:00.000 UTC [7] FATAL:  could not extend file: No space left on device",
    "2026-11-28 10:00:00.000 UTC [7] HINT:  Check free disk space.",
    "child process exited with exit code 1",
    'initdb: removing contents of data directory "data"',
  ],
};

test.each(Object.entries(said))("a failed initdb says why: %s", async (_, lines) => {
  await mkdir(join(folder.path, "bin"));
  await writeFile(join(folder.path, "lines"), lines.join("\n"));
  const script = `#!/bin/sh\ncat ${folder.path}/lines >&2\nexit 1\n`;
  await writeFile(join(folder.path, "bin/initdb"), script, { mode: 0o755 });
  const { path } = folder;
  const user = { uid: process.getuid?.() ?? 0, gid: process.getgid?.() ?? 0 };
  const paths = { user, binaries: path, database: path, cluster: join(path, "cluster"), log: "" };
  await expect(ensureCluster(paths)).rejects.toThrow(
    `The database could not be created (initdb: 1): ${lines.slice(0, -1).join(" | ")}`,
  );
});
