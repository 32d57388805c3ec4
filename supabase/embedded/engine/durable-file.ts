import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";

/**
 * Writes a file that is either whole or absent after a crash: beside it first, synced,
 * then renamed. The file is readable by its owner only.
 */
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

/** Renames and syncs the parent folder, so that the new name survives a power cut. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), "r");
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}
