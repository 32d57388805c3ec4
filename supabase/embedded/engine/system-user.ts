import { execFileSync } from "node:child_process";
import { readFileSync, statSync } from "node:fs";
import { dirname, resolve } from "node:path";

import { reason, StartError } from "./start-error.ts";

/** The user and group under which Postgres runs. */
export type SystemUser = { uid: number; gid: number };

const NAME = "tawasul";

/**
 * The account for Postgres, which refuses to run as root: the caller itself, or, when the
 * caller is root, the system account `tawasul`, made when there is none. Fails with StartError
 * where no account can be made.
 */
export function postgresUser(): SystemUser {
  if (process.getuid === undefined || process.getgid === undefined)
    throw new StartError("The embedded database needs Linux or macOS; set SUPABASE_URL instead.");
  const uid = process.getuid();
  if (uid !== 0) return { uid, gid: process.getgid() };
  return findUser() ?? makeUser();
}

function findUser(): SystemUser | undefined {
  const line = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .find((entry) => entry.startsWith(`${NAME}:`));
  const [, , uid, gid] = line?.split(":") ?? [];
  return uid && gid ? { uid: Number(uid), gid: Number(gid) } : undefined;
}

function makeUser(): SystemUser {
  const commands: [string, string[]][] = [
    ["useradd", ["--system", "--user-group", "--no-create-home", "--shell", "/bin/false", NAME]],
    ["adduser", ["-S", "-D", "-H", "-s", "/bin/false", NAME]],
  ];
  const faults: string[] = [];
  for (const [command, args] of commands) {
    try {
      execFileSync(command, args, { stdio: "pipe" });
      const user = findUser();
      if (user) return user;
    } catch (error) {
      faults.push(reason(error).split("\n")[0] ?? command);
    }
  }
  throw new StartError(
    `Postgres does not run as root, and the account "${NAME}" could not be made for it (${faults.join("; ")}); make it, or start the site as an ordinary user.`,
  );
}

/** Whether the account may pass through every folder down to and including `folder`. */
export function canEnter(user: SystemUser, folder: string): boolean {
  const parent = dirname(resolve(folder));
  if (parent !== resolve(folder) && !canEnter(user, parent)) return false;
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  if (gid === user.gid) return (mode & 0o010) !== 0;
  return (mode & 0o001) !== 0;
}
