import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "vitest";
import { migrationsDir } from "#tests/support/database.ts";

const entries = await readdir(import.meta.dirname, { withFileTypes: true });
const releases = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name);
const files = (await readdir(migrationsDir)).toSorted();

async function releasedFiles(release: string): Promise<Record<string, string>> {
  const file = join(import.meta.dirname, release, "migrations.json");
  return JSON.parse(await readFile(file, "utf8"));
}

test.each(releases)("the migrations of release %s never change", async (release) => {
  const hashes: Record<string, string | undefined> = {};
  for (const file of Object.keys(await releasedFiles(release))) {
    const text = await readFile(join(migrationsDir, file)).catch(() => undefined);
    hashes[file] = text && createHash("sha256").update(text).digest("hex");
  }
  expect(
    hashes,
    "Databases were made with these files, and refuse to start with others. Restore their text and put the change in a new file with a later version.",
  ).toEqual(await releasedFiles(release));
});

test.each(releases)("new migrations are later than those of release %s", async (release) => {
  const released = Object.keys(await releasedFiles(release));
  expect(files.slice(0, released.length)).toEqual(released);
});
