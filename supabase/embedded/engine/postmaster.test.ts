import { execFile } from "node:child_process";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";

import { expect, it } from "vitest";

const source = new URL("postmaster.ts", import.meta.url).href;

it("a database that a signal ends at once is not waited for", async () => {
  const home = await mkdtemp(join(tmpdir(), "postmaster-"));
  await mkdir(join(home, "bin"));
  await writeFile(join(home, "bin/postgres"), "#!/bin/sh\nkill -KILL $$\n", { mode: 0o755 });
  const account = { uid: process.getuid?.(), gid: process.getgid?.() };
  const start = `
    import { mkdir } from "node:fs/promises";
    import { clusterFolder } from "${new URL("initdb.ts", import.meta.url).href}";
    import { startPostmaster } from "${source}";
    const layout = ${JSON.stringify({ home, binaries: home, account })};
    await mkdir(clusterFolder(layout.home), { recursive: true });
    await startPostmaster(layout, layout.home).catch((error) => console.log(error.message));`;
  // The process ends when nothing waits any more.
  const { stdout } = await promisify(execFile)(
    process.execPath,
    ["--input-type=module", "--eval", start],
    { timeout: 5_000 },
  );
  expect(stdout).toContain("The database did not start");
  await rm(home, { recursive: true });
});
