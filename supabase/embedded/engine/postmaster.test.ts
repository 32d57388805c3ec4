import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { afterEach, beforeEach, expect, test } from "vitest";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "postmaster-"));
});

afterEach(() => rm(home, { recursive: true }));

test("a database that a signal ends at once is not waited for", async () => {
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin/postgres"), "#!/bin/sh\nkill -KILL $$\n", { mode: 0o755 });
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
    const paths = ${JSON.stringify({ cluster: home, binaries: home, user })};
    const log = postgresLog("${home}/postgres.log");
    await mkdir("${home}/data");
    await startPostmaster(paths, "${home}", log).catch((error) => console.log(error.message));`;
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", start],
    { timeout: 5_000 },
  );
  return stdout;
}
