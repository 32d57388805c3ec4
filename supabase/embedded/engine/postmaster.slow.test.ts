import { execFile } from "node:child_process";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "vitest";
import { useFolder } from "#embedded/tests/support/use-folder.ts";

const folder = useFolder();

test("a database that a signal ends at once is not waited for", async () => {
  await mkdir(join(folder.path, "bin"));
  await writeFile(join(folder.path, "bin/postgres"), "#!/bin/sh\nkill -KILL $$\n", { mode: 0o755 });
  expect(await startElsewhere()).toContain("The database did not start");
});

test("a missing database stops the start with one sentence", async () => {
  expect(await startElsewhere()).toContain("The database did not start");
});

/** Starts the database in a child process, which exits when nothing is pending. */
async function startElsewhere(): Promise<string> {
  const user = { uid: process.getuid?.(), gid: process.getgid?.() };
  const start = `
    import { mkdir } from "node:fs/promises";
    import { postgresLog } from "${new URL("postgres-log.ts", import.meta.url).href}";
    import { startPostmaster } from "${new URL("postmaster.ts", import.meta.url).href}";
    const paths = ${JSON.stringify({ cluster: folder.path, binaries: folder.path, user })};
    const log = postgresLog("${folder.path}/postgres.log");
    await mkdir("${folder.path}/data");
    await startPostmaster(paths, "${folder.path}", log).catch((error) => console.log(error.message));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", start],
    { timeout: 5_000 },
  );
  return stdout;
}
