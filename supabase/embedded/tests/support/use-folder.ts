import { afterEach, beforeEach } from "vitest";
import { tempFolder } from "./folder.ts";

/** Creates a folder for each test. It can be used in hooks and tests. */
export function useFolder(): { path: string } {
  const folder = {} as Awaited<ReturnType<typeof tempFolder>>;
  beforeEach(async () => {
    Object.assign(folder, await tempFolder());
  });
  afterEach(() => folder[Symbol.asyncDispose]());
  return folder;
}
