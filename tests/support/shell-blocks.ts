import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { root } from "./site.ts";

/**
 * Returns the shell blocks of a document, in order.
 * @param heading the section to read; without it the whole document
 */
export async function shellBlocks(file: string, heading?: string): Promise<string[]> {
  const text = await readFile(join(root, file), "utf8");
  const sections = text.split(/\n(?=#+ )/);
  const read = heading === undefined ? text : sections.find((part) => part.startsWith(heading));
  if (read === undefined) {
    throw new Error(`${file} has no section ${heading}`);
  }
  return Array.from(read.matchAll(/```sh\n(.*?)```/gs), ([, block = ""]) => block);
}
