import { createHash } from "node:crypto";
import { createWriteStream } from "node:fs";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { pipeline } from "node:stream/promises";
import { createZstdCompress } from "node:zlib";
import { type TarEntry, packTar } from "modern-tar";
import { beforeEach, expect, test } from "vitest";
import { StartError } from "#embedded/engine/start-error.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { readArchive } from "./archive.ts";
import { postgresManifest, readBackup } from "./contents.ts";
import { appendHash } from "./trailer.ts";

const folder = useFolder();
let file: string;
beforeEach(() => {
  file = join(folder.path, "backup.tar.zst");
});

const manifest = { format: 1, version: "1.0.0", time: "2026-11-21T00:00:00.000Z", postgres: 18 };
const entry = (name: string, body: string): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
});
const data = "database/cluster/data/base/1";
const fileList = {
  Files: [
    {
      Path: "base/1",
      "Checksum-Algorithm": "SHA256",
      Checksum: createHash("sha256").update("rows").digest("hex"),
    },
  ],
};
const intact = [
  entry("manifest.json", JSON.stringify(manifest)),
  entry("keys.json", "{}"),
  entry("database/keys-identity", "identity"),
  entry("database/cluster/superuser-password", "password"),
  entry(data, "rows"),
  entry(postgresManifest, JSON.stringify(fileList)),
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

test("an intact backup is read entry by entry", async () => {
  await write(intact);
  expect(await read()).toEqual(intact.slice(1).map(({ header }) => header.name));
});

test("every changed byte of a small backup is found", async () => {
  await write(intact);
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
  await write([...intact.slice(0, 5), entry(path, "x"), ...intact.slice(5)]);
  await expect(read()).rejects.toThrow("an unexpected path");
});

test.each(["symlink", "link"] as const)("a %s is refused", async (type) => {
  const link = { header: { name: `${data}-link`, size: 0, type, linkname: "/etc/passwd" } };
  await write([...intact.slice(0, 5), link, ...intact.slice(5)]);
  await expect(read()).rejects.toThrow(`an entry is a ${type}`);
});

test.each([
  ["a file of the database that differs", [...intact.slice(0, 4), entry(data, "rowz"), intact[5]]],
  ["a file of the database that is missing", [...intact.slice(0, 4), intact[5]]],
  ["no list of files", intact.slice(0, 5)],
  ["no keys", [intact[0], ...intact.slice(2)]],
])("%s is damage, even with the right checksum", async (_name, entries) => {
  await write(entries.filter((each) => each !== undefined));
  await expect(read()).rejects.toThrow("is damaged");
});

test("a foreign file, an empty one and a newer format are refused in one sentence", async () => {
  await writeFile(file, "");
  await expect(readArchive(file, undefined, async () => undefined)).rejects.toThrow(
    "is not a backup",
  );
  await write([entry("manifest.json", JSON.stringify({ ...manifest, format: 2 }))]);
  await expect(read()).rejects.toThrow("made by a newer version");
  await write([]);
  await expect(read()).rejects.toThrow("it is incomplete");
});
