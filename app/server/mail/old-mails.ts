import { readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes mails that were written to files 30 days ago: they hold links and codes. Returns how many. */
export async function sweepMails(folder: string): Promise<number> {
  const oldest = Date.now() - keptMs;
  let deleted = 0;
  // Without mails there is no folder.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.endsWith(".eml") && (await stat(path)).mtimeMs < oldest) {
      await rm(path);
      deleted += 1;
    }
  }
  return deleted;
}
