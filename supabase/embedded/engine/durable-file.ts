import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/** Writes a file with mode 600. After a crash it is complete or absent. */
export async function writeDurably(path: string, text: string): Promise<void> {
  const beside = `${path}.new`;
  const file = await open(beside, "w", 0o600);
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
  await renameDurably(beside, path);
}

/** Renames a file or folder. The new name survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
