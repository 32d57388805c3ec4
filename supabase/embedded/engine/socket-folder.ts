import { chown, lstat, mkdir, mkdtemp, readdir, rm, rmdir } from "node:fs/promises";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { reason, EngineError } from "./engine-error.ts";
import { isAlive } from "./processes.ts";
import { canEnter, type SystemUser } from "./system-user.ts";

export const port = 5432;

/** The limit of macOS in bytes. Linux allows 107. */
const longestSocketPath = 103;

const folderName = /^embedded-postgres-(\d+)-\w{6}$/;

export function socketPath(folder: string): string {
  return join(folder, `.s.PGSQL.${port}`);
}

/**
 * Creates the folder in a temporary one, because the path of the data folder may be too long. Throws
 * EngineError.
 */
export async function createSocketFolder(user: SystemUser): Promise<string> {
  const base = [tmpdir(), "/tmp"].find((folder) => hasRoom(folder) && canEnter(user, folder));
  if (base === undefined) {
    throw new EngineError(
      "failed",
      "The paths of all temporary folders are too long for a socket.",
    );
  }
  try {
    await removeLeftovers(base, user);
    const folder = await mkdtemp(join(base, `embedded-postgres-${process.pid}-`));
    await chown(folder, user.uid, user.gid);
    return folder;
  } catch (error) {
    throw new EngineError(
      "failed",
      `The socket folder could not be created in ${base}: ${reason(error)}`,
    );
  }
}

function hasRoom(base: string): boolean {
  return (
    Buffer.byteLength(socketPath(`${base}/embedded-postgres-4194304-XXXXXX`)) <= longestSocketPath
  );
}

/** Recreates the folder if it was deleted. Throws EngineError if another user owns it. */
export async function restoreSocketFolder(folder: string, user: SystemUser): Promise<void> {
  if (await mkdir(folder, { recursive: true, mode: 0o700 })) {
    await chown(folder, user.uid, user.gid);
  }
  if (!(await isOurs(folder, user))) {
    throw new EngineError("failed", `Another user has taken the socket folder ${folder}.`);
  }
}

/** This is not recursive, because the folder's owner could redirect root by a symbolic link. */
export async function removeSocketFolder(folder: string): Promise<void> {
  await rm(socketPath(folder), { force: true });
  await rm(`${socketPath(folder)}.lock`, { force: true });
  await rmdir(folder).catch(() => undefined);
}

async function removeLeftovers(base: string, user: SystemUser): Promise<void> {
  for (const name of await readdir(base)) {
    const pid = Number(folderName.exec(name)?.[1]);
    const folder = join(base, name);
    if (pid && !isAlive(pid) && (await isOurs(folder, user)) && !(await isAccepting(folder))) {
      await removeSocketFolder(folder);
    }
  }
}

async function isOurs(folder: string, user: SystemUser): Promise<boolean> {
  const stats = await lstat(folder).catch(() => undefined);
  return stats?.isDirectory() === true && [user.uid, process.getuid?.()].includes(stats.uid);
}

/** A site in another container may use the folder, and its process is unknown here. */
function isAccepting(folder: string): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(socketPath(folder));
    const settle = (answer: boolean) => {
      socket.destroy();
      resolve(answer);
    };
    socket.once("connect", () => settle(true)).once("error", () => settle(false));
  });
}
