import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { packTar, type TarEntry } from "modern-tar";
import { afterEach, beforeEach, expect, test } from "vitest";
import { StartError } from "#embedded/engine/start-error.ts";
import { readArchive } from "./archive.ts";
import { postgresManifest, readBackup } from "./contents.ts";
import { appendHash } from "./trailer.ts";

let folder: string;
let file: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "archive-"));
  file = join(folder, "backup.tar.zst");
});
afterEach(() => rm(folder, { recursive: true }));

const manifest = { format: 1, version: "1.0.0", time: "2026-11-21T00:00:00.000Z", postgres: 18 };
const entry = (name: string, body: string): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
});
const data = "database/cluster/data/base/1";
const listed = {
  Files: [
    {
      Path: "base/1",
      "Checksum-Algorithm": "SHA256",
      Checksum: createHash("sha256").update("rows").digest("hex"),
    },
  ],
};
const sound = [
  entry("manifest.json", JSON.stringify(manifest)),
  entry("keys.json", "{}"),
  entry("database/keys-identity", "identity"),
  entry("database/cluster/superuser-password", "password"),
  entry(data, "rows"),
  entry(postgresManifest, JSON.stringify(listed)),
];

async function write(entries: TarEntry[]): Promise<void> {
  const tar = await packTar(entries);
  await pipeline([tar], createZstdCompress(), appendHash(), createWriteStream(file));
}

const read = async () => {
  const paths: string[] = [];
  await readBackup(file, undefined, {
    async take({ path, body }) {
      paths.push(path);
      for await (const bytes of body) {
        expect(bytes.length).toBeGreaterThan(0);
      }
    },
  });
  return paths;
};

test("a sound backup is read entry by entry", async () => {
  await write(sound);
  expect(await read()).toEqual(sound.slice(1).map(({ header }) => header.name));
});

test("every changed byte of a small backup is found", async () => {
  await write(sound);
  const bytes = await readFile(file);
  const missed: number[] = [];
  for (let position = 0; position < bytes.length; position += 1) {
    const damaged = Buffer.from(bytes);
    damaged.writeUInt8(damaged.readUInt8(position) ^ 0x10, position);
    await writeFile(file, damaged);
    const error: unknown = await read().catch((fault: unknown) => fault);
    if (!(error instanceof StartError)) {
      missed.push(position);
    }
  }
  expect(missed).toEqual([]);
});

test.each([
  "../outside",
  "/etc/passwd",
  "database/cluster/data/../../../../outside",
  "database/cluster/data//etc",
  "database/cluster/data/a\\b",
  "mails/../keys.json",
  "mails/a/b",
  "site.lock",
])("the path %s is refused", async (path) => {
  await write([...sound.slice(0, 5), entry(path, "x"), ...sound.slice(5)]);
  await expect(read()).rejects.toThrow("a path that no backup has");
});

test.each(["symlink", "link"] as const)("a %s is refused", async (type) => {
  const link = { header: { name: `${data}-link`, size: 0, type, linkname: "/etc/passwd" } };
  await write([...sound.slice(0, 5), link, ...sound.slice(5)]);
  await expect(read()).rejects.toThrow(`an entry is a ${type}`);
});

test.each([
  ["a file of the database that differs", [...sound.slice(0, 4), entry(data, "rowz"), sound[5]]],
  ["a file of the database that is missing", [...sound.slice(0, 4), sound[5]]],
  ["no list of files", sound.slice(0, 5)],
  ["no keys", [sound[0], ...sound.slice(2)]],
])("%s is damage, though its checksum is right", async (_name, entries) => {
  await write(entries.filter((each) => each !== undefined));
  await expect(read()).rejects.toThrow("is damaged");
});

test("another file, an empty one and a newer format are refused in one sentence", async () => {
  await writeFile(file, "");
  await expect(readArchive(file, undefined, async () => undefined)).rejects.toThrow(
    "is not a backup",
  );
  await write([entry("manifest.json", JSON.stringify({ ...manifest, format: 2 }))]);
  await expect(read()).rejects.toThrow("or of a newer version");
  await write([]);
  await expect(read()).rejects.toThrow("it is incomplete");
});
