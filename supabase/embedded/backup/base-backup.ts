import { randomBytes } from "node:crypto";
import { once } from "node:events";
import { connect } from "node:net";
import { Transform } from "node:stream";
import { socketPath } from "#embedded/engine/socket-folder.ts";
import { StartError } from "#embedded/engine/start-error.ts";
import { connectAsSuperuser, type SuperuserAccess } from "#embedded/engine/superuser.ts";

export interface BaseBackup {
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
  const socket = connect(socketPath(access.socketDir));
  await once(socket, "connect");
  const sql = connectAsSuperuser(access, { replication: "true" }, socket);
  // postgres.js only half-closes the socket, so an unfinished copy would keep the process alive.
  const end = async () => {
    await sql.end({ timeout: 0 });
    socket.destroy();
  };
  try {
    const slot = `backup_${randomBytes(8).toString("hex")}`;
    await sql.unsafe(`CREATE_REPLICATION_SLOT ${slot} TEMPORARY PHYSICAL (RESERVE_WAL)`);
    const copy = await sql
      .unsafe(
        "BASE_BACKUP (LABEL 'tawasul', CHECKPOINT 'fast', WAL true, MANIFEST 'yes', MANIFEST_CHECKSUMS 'SHA256')",
      )
      .readable();
    const { archive, manifest } = splitMessages();
    copy.once("error", (error) => archive.destroy(error));
    // A pipe passes one message per chunk; async iteration would merge them.
    copy.pipe(archive);
    return {
      archive,
      manifest,
      async close() {
        await end();
        if ((await countDamagedPages(access)) > damagedBefore) {
          throw new StartError(
            "PostgreSQL found a damaged page during the backup: check the disk, and keep the older backups.",
          );
        }
      },
    };
  } catch (error) {
    await end();
    throw error;
  }
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
    const [row] = await sql<{ damaged: string }[]>`
      select coalesce(sum(checksum_failures), 0) as damaged from pg_stat_database`;
    return Number(row?.damaged);
  } finally {
    await sql.end();
  }
}
