import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";
import type { Log } from "#embedded/log.ts";
import { reason, EngineError } from "./engine-error.ts";

export interface SystemUser {
  uid: number;
  gid: number;
}

/**
 * The user of the site must not have this name, because root would have made it without a home and a shell.
 */
const name = "embedded-postgres";

export const isRoot = () => process.getuid?.() === 0;

/** Returns the user for PostgreSQL, which refuses to run as root. Throws EngineError if none. */
export function postgresUser(log: Log): SystemUser {
  if (process.getuid === undefined || process.getgid === undefined) {
    throw new EngineError("unsupported", "The embedded database needs Linux or macOS.");
  }
  if (!isRoot()) {
    return { uid: process.getuid(), gid: process.getgid() };
  }
  return findUser() ?? createUser(log);
}

function findUser(): SystemUser | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${name}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

function createUser(log: Log): SystemUser {
  const args = ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", name];
  let fault: string | undefined = "it is not in /etc/passwd";
  try {
    execFileSync("useradd", args, { stdio: "pipe" });
    const user = findUser();
    if (user) {
      log.info(`The system user ${name} was created, because PostgreSQL does not run as root.`);
      return user;
    }
  } catch (error) {
    [fault] = reason(error).split("\n");
  }
  throw new EngineError(
    "failed",
    `PostgreSQL does not run as root, and the system user ${name} could not be created for it (${fault}); create it, or start the site as an ordinary user.`,
  );
}

/** Whether the user can enter `folder` and all its parents. */
export function canEnter(user: SystemUser, folder: string): boolean {
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder) && !canEnter(user, parent)) {
    return false;
  }
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) {
    return (mode & 0o100) !== 0;
  }
  if (gid === user.gid) {
    return (mode & 0o010) !== 0;
  }
  return (mode & 0o001) !== 0;
}
