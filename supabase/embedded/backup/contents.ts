import { createHash } from "node:crypto";
import { buffer } from "node:stream/consumers";
import { z } from "zod";
import { StartError } from "#embedded/engine/start-error.ts";
import { damaged, readArchive } from "./archive.ts";
import type { Entry } from "./tar.ts";

export const dataFolder = "database/cluster/data/";
export const postgresManifest = `${dataFolder}backup_manifest`;
export const manifestFile = "manifest.json";

interface Reader {
  /** Called first. */
  begin?(manifest: Manifest): Promise<void>;
  /** Called for each other entry. Must read its body to the end. */
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

/** The fields used of PostgreSQL's manifest (its manual, "Backup Manifest Format"). */
const filesSchema = z.object({
  Files: z.array(
    z.object({
      Path: z.string(),
      "Checksum-Algorithm": z.literal("SHA256"),
      Checksum: z.string(),
    }),
  ),
});

/** The files outside PostgreSQL's data directory. */
export const ownFiles = [
  "keys.json",
  "database/keys-identity",
  "database/cluster/superuser-password",
];

const maxManifestBytes = 10_000;

/**
 * Reads a whole backup and checks every database file against PostgreSQL's manifest.
 * @throws {StartError} if it is not a backup, is damaged or incomplete, or has an unexpected path
 * @throws errors of the reader
 */
export async function readBackup(
  file: string,
  passphrase: string | undefined,
  { begin, take }: Reader,
): Promise<Manifest> {
  let manifest: Manifest | undefined;
  let fileList: string | undefined;
  const hashes = new Map<string, string>();
  await readArchive(file, passphrase, async (entry) => {
    if (manifest === undefined) {
      manifest = await readManifest(file, entry);
      return begin?.(manifest);
    }
    if (!isExpected(entry.path)) {
      throw new StartError(`The backup ${file} contains an unexpected path.`);
    }
    const hash = createHash("sha256");
    const parts: Uint8Array[] = [];
    async function* hashBody() {
      for await (const bytes of entry.body) {
        hash.update(bytes);
        if (entry.path === postgresManifest) {
          parts.push(bytes);
        }
        yield bytes;
      }
    }
    await take({ ...entry, body: hashBody() });
    hashes.set(entry.path, hash.digest("hex"));
    fileList = parts.length > 0 ? Buffer.concat(parts).toString("utf8") : fileList;
  });
  if (manifest === undefined || fileList === undefined) {
    throw damaged(file, "it is incomplete");
  }
  checkFiles(file, fileList, hashes);
  return manifest;
}

async function readManifest(file: string, { path, size, body }: Entry): Promise<Manifest> {
  const text = path === manifestFile && size <= maxManifestBytes && (await buffer(body)).toString();
  try {
    return manifestSchema.parse(JSON.parse(text || ""));
  } catch {
    throw new StartError(`${file} is not a backup of a site, or was made by a newer version.`);
  }
}

/** Files with which PostgreSQL would run commands of the backup or read other folders. */
const isHarmful = (path: string) => /(^|\/)(tablespace_map|[^/]+\.signal)$/.test(path);

function isExpected(path: string): boolean {
  const parts = path.replace(/\/$/, "").split("/");
  if (parts.some((part) => ["", ".", ".."].includes(part) || /[\\\0]/.test(part))) {
    return false;
  }
  if (isHarmful(path)) {
    return false;
  }
  return ownFiles.includes(path) || path.startsWith(dataFolder) || /^mails\/[^/]+$/.test(path);
}

function checkFiles(file: string, fileList: string, hashes: Map<string, string>): void {
  const missing = ownFiles.find((path) => !hashes.has(path));
  if (missing !== undefined) {
    throw damaged(file, `${missing} is missing`);
  }
  for (const { Path: path, Checksum: checksum } of filesSchema.parse(JSON.parse(fileList)).Files) {
    if (hashes.get(dataFolder + path) !== checksum) {
      throw damaged(file, `${path} does not match its checksum`);
    }
  }
}
