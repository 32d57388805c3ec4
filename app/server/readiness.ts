import { owner } from "#app/content/owner.ts";
import { placeholdersIn } from "#app/content/placeholders.ts";
import type { Owner } from "#app/content/schema.ts";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import type { Lack } from "#app/site-contract.server.ts";
import { type Env, projectRoot } from "./settings.ts";

const content = "app/content/owner.ts has";

const warnings: Record<Lack, string> = {
  name: `${content} the placeholder name, which visitors read`,
  phone: `${content} the placeholder phone: visitors write to a stranger`,
  address: `${content} the placeholder address: what visitors mail there reaches nobody`,
  works: `${content} placeholder works or services, which lead to example.com`,
  SMTP_URL: "SMTP_URL is not set: mails are written to files; nobody gets them",
  BACKUP_DIR: "BACKUP_DIR is not set: no backups are made",
  BACKUP_PASSPHRASE: "BACKUP_PASSPHRASE is set without BACKUP_DIR: no backups are made",
  NOTIFICATION_URL:
    "neither SMTP_URL nor NOTIFICATION_URL is set: nothing tells you of new messages",
};

/**
 * What a site with an https address, which visitors can reach, still lacks.
 * @throws {StartError} if its data or its backups are in the clone, which an update replaces
 */
export function checkReadiness(env: Env, of: Owner = owner): Lack[] {
  if (env.SITE_URL === undefined || new URL(env.SITE_URL).protocol !== "https:") {
    return [];
  }
  // An outside Supabase has the data where it runs.
  refuseInClone("DATA_DIR", env.SUPABASE_URL === undefined ? env.DATA_DIR : undefined);
  refuseInClone("BACKUP_DIR", env.BACKUP_DIR);
  const lacks: Lack[] = placeholdersIn(of);
  // An outside Supabase sends the mails of accounts, and is backed up where it runs.
  if (env.SUPABASE_URL === undefined) {
    if (env.SMTP_URL === undefined) {
      lacks.push("SMTP_URL");
    }
    if (env.BACKUP_DIR === undefined) {
      lacks.push(env.BACKUP_PASSPHRASE === undefined ? "BACKUP_DIR" : "BACKUP_PASSPHRASE");
    }
  }
  if (env.SMTP_URL === undefined && env.NOTIFICATION_URL === undefined) {
    lacks.push("NOTIFICATION_URL");
  }
  return lacks;
}

function refuseInClone(name: "DATA_DIR" | "BACKUP_DIR", folder: string | undefined): void {
  if (`${folder}/`.startsWith(projectRoot)) {
    throw new StartError(
      `${name} is inside the clone, which an update replaces (${folder}): set it to a folder outside. If it holds files, move them there first.`,
    );
  }
}

/** Logs one warning for each missing thing. */
export function warnOf(lacks: readonly Lack[]): void {
  for (const lack of lacks) {
    log.warn(`This live site is not ready: ${warnings[lack]}`);
  }
}
