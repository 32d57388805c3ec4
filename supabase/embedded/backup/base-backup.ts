import { randomBytes } from "node:crypto";
import { Transform } from "node:stream";
import { CopyStream } from "#embedded/engine/copy-stream.ts";
import { StartError } from "#embedded/engine/start-error.ts";
import {
  connectAsSuperuser,
  type SuperuserAccess,
  superuserLogin,
} from "#embedded/engine/superuser.ts";
import { disconnect, openClient } from "#embedded/sql.ts";

interface BaseBackup {
  /** A tar archive of the data directory, with the WAL that makes it consistent. */
  archive: Transform;
  /** PostgreSQL's list of the files and their checksums. Complete when the archive has ended. */
  manifest(): Buffer;
  /** @throws {StartError} if PostgreSQL found a damaged page during the copy */
  close(): Promise<void>;
}

/** Message types of the copy stream (PostgreSQL, "Streaming Replication Protocol"). */
const messageType = { archive: "n", data: "d", manifest: "m" };

/**
 * Streams a copy of a running cluster. The temporary slot keeps the WAL until it is copied.
 * @throws errors of PostgreSQL
 */
export async function openBaseBackup(access: SuperuserAccess): Promise<BaseBackup> {
  const damagedBefore = await countDamagedPages(access);
  const client = await openClient({ ...superuserLogin(access), replication: "true" });
  try {
    const slot = `backup_${randomBytes(8).toString("hex")}`;
    await client.query(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
  } catch (error) {
    disconnect(client);
    throw error;
  }
  const { archive, manifest } = splitMessages();
  const copy = new CopyStream(
    "BASE_BACKUP (LABEL 'tawasul', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
    (message) => {
      if (!archive.write(message)) {
        copy.pause();
      }
    },
  );
  archive.on("drain", () => copy.resume());
  copy.ended.then(
    () => archive.end(),
    (error: Error) => archive.destroy(error),
  );
  client.query(copy);
  return {
    archive,
    manifest,
    async close() {
      disconnect(client);
      if ((await countDamagedPages(access)) > damagedBefore) {
        throw new StartError(
          "PostgreSQL found a damaged page during the backup: check the disk, and keep the older backups.",
        );
      }
    },
  };
}

function splitMessages() {
  const manifest: Buffer[] = [];
  let isManifest = false;
  const archive = new Transform({
    transform(message: Buffer, _encoding, done) {
      const type = String.fromCharCode(message.readUInt8(0));
      if (type === messageType.archive || type === messageType.manifest) {
        isManifest = type === messageType.manifest;
      } else if (type === messageType.data && isManifest) {
        manifest.push(Buffer.from(message.subarray(1)));
      } else if (type === messageType.data) {
        this.push(message.subarray(1));
      }
      done();
    },
  });
  return { archive, manifest: () => Buffer.concat(manifest) };
}

/** BASE_BACKUP checks every page, but reports a damaged one only after its end. */
async function countDamagedPages(access: SuperuserAccess): Promise<number> {
  const sql = connectAsSuperuser(access);
  try {
    const [row] = await sql<{ damaged: string }>`
      select coalesce(sum(checksum_failures), 0) as damaged from pg_stat_database`;
    return Number(row?.damaged);
  } finally {
    await sql.end();
  }
}
