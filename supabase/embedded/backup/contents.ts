import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { StartError } from "#embedded/engine/start-error.ts";
import { damaged, readArchive } from "./archive.ts";
import type { Entry } from "./tar.ts";

export const dataFolder = "database/cluster/data/";
export const postgresManifest = `${dataFolder}backup_manifest`;
export const manifestFile = "manifest.json";

export interface Reader {
  /** Gets the manifest first. */
  begin?(manifest: Manifest): Promise<void>;
  /** Gets each entry after it, and reads its body to the end. */
  take(entry: Entry): Promise<void>;
}

/** The first entry of a backup. */
const manifestSchema = z.object({
  format: z.literal(1),
  /** Version of the site that made it. */
  version: z.string().max(100),
  time: z.iso.datetime(),
  /** Major version of PostgreSQL. */
  postgres: z.int(),
});
export type Manifest = z.infer<typeof manifestSchema>;

/** What is used of PostgreSQL's list ("Backup Manifest Format" of its manual). */
const filesSchema = z.object({
  Files: z.array(
    z.object({
      Path: z.string(),
      "Checksum-Algorithm": z.literal("SHA256"),
      Checksum: z.string(),
    }),
  ),
});

/** The files beside PostgreSQL's data directory. */
export const ownFiles = [
  "keys.json",
  "database/keys-identity",
  "database/cluster/superuser-password",
];

const longestManifest = 10_000;

/**
 * Reads a whole backup and compares every file of the database with the checksum that PostgreSQL
 * gave it.
 * @throws {StartError} if it is no backup, damaged or incomplete, or holds a path that no backup has
 * @throws what the reader throws
 */
export async function readBackup(
  file: string,
  passphrase: string | undefined,
  { begin, take }: Reader,
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let listed: string | undefined;
  const hashes = new Map<string, string>();
  await readArchive(file, passphrase, async (entry) => {
    if (manifest === undefined) {
      manifest = await readManifest(file, entry);
      return begin?.(manifest);
    }
    if (!isExpected(entry.path)) {
      throw new StartError(`The backup ${file} holds a path that no backup has.`);
    }
    const hash = createHash("sha256");
    const parts: Uint8Array[] = [];
    async function* watch() {
      for await (const bytes of entry.body) {
        hash.update(bytes);
        if (entry.path === postgresManifest) {
          parts.push(bytes);
        }
        yield bytes;
      }
    }
    await take({ ...entry, body: watch() });
    hashes.set(entry.path, hash.digest("hex"));
    listed = parts.length > 0 ? Buffer.concat(parts).toString("utf8") : listed;
  });
  if (manifest === undefined || listed === undefined) {
    throw damaged(file, "it is incomplete");
  }
  compare(file, listed, hashes);
  return manifest;
}

async function readManifest(file: string, { path, size, body }: Entry): Promise<Manifest> {
  const text = path === manifestFile && size <= longestManifest && (await buffer(body)).toString();
  try {
    return manifestSchema.parse(JSON.parse(text || ""));
  } catch {
    throw new StartError(`${file} is not a backup of a site, or of a newer version.`);
  }
}

function isExpected(path: string): boolean {
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.some((part) => ["", ".", ".."].includes(part) || /[\\\0]/.test(part))) {
    return false;
  }
  return ownFiles.includes(path) || path.startsWith(dataFolder) || /^mails\/[^/]+$/.test(path);
}

function compare(file: string, listed: string, hashes: Map<string, string>): void {
  const missing = ownFiles.find((path) => !hashes.has(path));
  if (missing !== undefined) {
    throw damaged(file, `${missing} is missing`);
  }
  for (const { Path: path, Checksum: checksum } of filesSchema.parse(JSON.parse(listed)).Files) {
    if (hashes.get(dataFolder + path) !== checksum) {
      throw damaged(file, `${path} is not what PostgreSQL wrote`);
    }
  }
}
