import { spawnSync } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync, statfsSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const memory = "/dev/shm";
const needed = 8 * 1024 ** 3;

/**
 * Keeps the temporary files of a run in memory where there is room, until the run ends: the clusters
 * of its sites are 200,000 files, and making them on a disk takes up to ten times as long.
 */
export function useMemoryFolder(): void {
  if (process.env["TMPDIR"] !== undefined || !hasRoom()) {
    return;
  }
  const folder = mkdtempSync(join(memory, "tests-"));
  process.once("exit", () => rmSync(folder, { recursive: true, force: true, maxRetries: 3 }));
  // Also for the users that sites run as, and with programs.
  chmodSync(folder, 0o1777);
  const program = join(folder, "program");
  writeFileSync(program, "#!/bin/sh\n", { mode: 0o755 });
  if (spawnSync(program).status === 0) {
    process.env["TMPDIR"] = folder;
  }
}

function hasRoom(): boolean {
  try {
    const { bavail, bsize } = statfsSync(memory);
    return bavail * bsize > needed && process.availableMemory() > needed;
  } catch {
    return false;
  }
}
