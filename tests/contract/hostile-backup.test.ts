import { createHash } from "node:crypto";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";
import { Readable } from "node:stream";
import { buffer } from "node:stream/consumers";
import { expect, test } from "vitest";
import { readArchive, writeArchive } from "#embedded/backup/archive.ts";
import { dataFolder, postgresManifest } from "#embedded/backup/contents.ts";
import { useBackups } from "#tests/support/backups.ts";
import { runCommand } from "#tests/support/command.ts";
import { storedMessages } from "#tests/support/engine.ts";

const { folder, makeBackup } = useBackups();

/** Writes a copy of a backup with other files of the database, all its checksums right. */
async function forge(file: string, files: Record<string, string>): Promise<string> {
  const forged = `${file}.forged`;
  const entries = new Map<string, Buffer>();
  await readArchive(file, undefined, async ({ path, body }) => {
    entries.set(path, await buffer(body));
  });
  const manifest = JSON.parse(entries.get(postgresManifest)?.toString() ?? "") as {
    Files: { Path: string; Checksum: string; "Checksum-Algorithm": string }[];
  };
  for (const [name, text] of Object.entries(files)) {
    entries.set(dataFolder + name, Buffer.from(text));
    const Checksum = createHash("sha256").update(text).digest("hex");
    manifest.Files = manifest.Files.filter(({ Path }) => Path !== name);
    manifest.Files.push({ Path: name, Checksum, "Checksum-Algorithm": "SHA256" });
  }
  entries.set(postgresManifest, Buffer.from(JSON.stringify(manifest)));
  await writeArchive(forged, undefined, async (add) => {
    for (const [path, bytes] of entries) {
      await add({
        path,
        size: bytes.length,
        body: Readable.from(path.endsWith("/") ? [] : [bytes]),
      });
    }
  });
  return forged;
}

test("a restored database has none of the backup's configuration", async () => {
  const command = "archive_mode = on\narchive_command = 'touch ../ran'\n";
  const names = ["postgresql.auto.conf", "postgresql.conf"];
  const file = await forge(
    await makeBackup(),
    Object.fromEntries(names.map((name) => [name, command])),
  );
  const DATA_DIR = join(folder.path, "elsewhere");
  expect((await runCommand("restore", { DATA_DIR }, { args: [file] })).errors).toBe("");
  expect(await storedMessages(DATA_DIR)).toEqual(["kept"]);
  const data = join(DATA_DIR, dataFolder);
  const files = (await readdir(data)).filter((name) => name.endsWith(".conf"));
  const texts = await Promise.all(files.map((name) => readFile(join(data, name), "utf8")));
  expect(texts.join("")).not.toContain("archive_command");
  expect(await readdir(join(data, ".."))).not.toContain("ran");
});

test("a backup that would make PostgreSQL run commands is refused, and nothing is restored", async () => {
  const backup = await makeBackup();
  const DATA_DIR = join(folder.path, "elsewhere");
  for (const name of ["recovery.signal", "standby.signal", "tablespace_map"]) {
    const file = await forge(backup, { [name]: "" });
    const { code, errors } = await runCommand("restore", { DATA_DIR }, { args: [file] });
    expect([code, errors]).toEqual([1, expect.stringContaining("an unexpected path")]);
    expect(await readdir(DATA_DIR)).not.toContain("database");
    await rm(file);
  }
}, 180_000);
