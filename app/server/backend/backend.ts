import { existsSync } from "node:fs";
import { statfs } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import {
  type BackupPlace,
  backupPlace,
  openBackupFolder,
} from "#app/server/backups/backup-files.ts";
import { backUpBeforeUpdate, forgetBackup } from "#app/server/backups/before-update.ts";
import { backUpNightly } from "#app/server/backups/nightly.ts";
import { mailAbout, openAccountMails, sweepMails } from "#app/server/mail/account-mails.ts";
import { smtpOf } from "#app/server/mail/smtp.ts";
import { type Env, projectRoot } from "#app/server/settings.ts";
import type { Backend } from "#app/site-contract.server.ts";
import { calls } from "#app/supabase-calls.ts";
import { accountLimits } from "./account-limits.ts";
import { startSweeps } from "./daily-sweeps.ts";
import { outsideBackend, type OutsideOptions } from "./outside/outside-backend.ts";
import { siteCalls } from "./site-calls.ts";
import { withEmbedded } from "./with-embedded.ts";

const sweptSchema = z.strictObject({ expired: z.int(), deleted: z.int(), others: z.int() });

/**
 * Starts the embedded Supabase, or uses the outside one of SUPABASE_URL. No other file knows which.
 * @param dev whether messages about faults are for a developer, and not for the site's owner
 * @throws {StartError} if the embedded one cannot start for a reason that the owner can fix
 */
export async function openBackend(env: Env, siteUrl: URL, dev: boolean): Promise<Backend> {
  const place = backupPlace(env);
  // A live site without a place for backups is better than no site.
  await (place && openBackupFolder(place))?.catch((error: Error) => log.error(error.message));
  const {
    SUPABASE_URL: url,
    SUPABASE_PUBLISHABLE_KEY: publishableKey,
    SUPABASE_SECRET_KEY: secretKey,
  } = env;
  return url && publishableKey && secretKey
    ? openOutside({ url, publishableKey, secretKey }, { env, siteUrl, place })
    : openEmbedded({ env, siteUrl, place, dev });
}

interface Opening {
  env: Env;
  siteUrl: URL;
  place: BackupPlace | undefined;
}

function openOutside(options: OutsideOptions, { env, siteUrl, place }: Opening): Backend {
  const { close, ...backend } = outsideBackend(options);
  const smtp = smtpOf(env);
  const mails = smtp && openAccountMails({ smtp, folder: "", log });
  // Accounts of a hosted Supabase may belong to other sites too.
  const database = async () => sweptSchema.parse(await backend.callAsSite("sweep", {}));
  const stopSweeps = startSweeps({ database });
  const nightly = place && backUpNightly(place);
  return {
    ...backend,
    // GoTrue sends no such mail.
    tellDeletion: (email) => mails?.send(mailAbout("account_deleted", email, siteUrl.origin)),
    // Without the setting, the project makes its own backups.
    ...(nightly && { backups: nightly.state }),
    async close() {
      close();
      await Promise.all([nightly?.close(), stopSweeps(), mails?.close()]);
    },
  };
}

async function openEmbedded({
  env,
  siteUrl,
  place,
  dev,
}: Opening & { dev: boolean }): Promise<Backend> {
  const isFirstStart = !existsSync(join(env.DATA_DIR, "keys.json"));
  const folder = join(env.DATA_DIR, "mails");
  const mails = openAccountMails({ smtp: smtpOf(env), folder, log });
  const embedded = await withEmbedded(
    import("embedded-supabase"),
    ({ startEmbedded }) =>
      startEmbedded({
        dataDir: env.DATA_DIR,
        migrationsDir: join(projectRoot, "supabase/migrations"),
        beforeUpdate: (migrations) => backUpBeforeUpdate(place, env.DATA_DIR, migrations),
        calls,
        siteUrl: siteUrl.origin,
        limits: accountLimits,
        confirmEmail: env.CONFIRM_EMAIL ?? env.SITE_OWNER_EMAIL !== undefined,
        sendMail: mails.send,
        onAccountChange: (change, email) => mails.send(mailAbout(change, email, siteUrl.origin)),
        log,
      }),
    dev,
  ).catch((error: unknown) => {
    const isKnown = error instanceof StartError;
    if (!isKnown && error instanceof Error && /no space left on device/i.test(error.message)) {
      throw new StartError(`The disk of DATA_DIR (${env.DATA_DIR}) is full: ${error.message}`);
    }
    throw error;
  });
  await forgetBackup(env.DATA_DIR);
  if (isFirstStart) {
    log.info(`The first start: all data is kept in ${env.DATA_DIR}`);
    log.info(`Make your account at ${new URL("/auth?mode=sign-up", siteUrl)}`);
  }
  const callAsSite = siteCalls(embedded.callAsSite);
  if (env.SITE_OWNER_EMAIL) {
    await reserveInbox(callAsSite, env.SITE_OWNER_EMAIL);
  } else {
    await offerClaim(callAsSite, siteUrl);
  }
  const stopSweeps = startSweeps({
    database: async () => sweptSchema.parse(await callAsSite("sweep", { with_accounts: true })),
    sessions: async () => ({ sessions: await embedded.sweep() }),
    mails: async () => ({ mails: await sweepMails(folder) }),
  });
  const nightly = place && backUpNightly(place);
  return {
    url: siteUrl.origin,
    publishableKey: embedded.publishableKey,
    sharesAccounts: false,
    tellDeletion: (email) => mails.send(mailAbout("account_deleted", email, siteUrl.origin)),
    cookieSecret: embedded.cookieSecret,
    fetch: embedded.fetch,
    callAsSite,
    listen: embedded.listen,
    health: async () => ({ database: await embedded.healthy() }),
    freeBytes: () => freeBytes(env.DATA_DIR),
    backups: async () => (await nightly?.state()) ?? null,
    async close() {
      await nightly?.close();
      await stopSweeps();
      await embedded.close();
      await mails.close();
    },
  };
}

async function freeBytes(folder: string): Promise<number | null> {
  const disk = await statfs(folder).catch(() => null);
  return disk && disk.bavail * disk.bsize;
}

async function reserveInbox(callAsSite: Backend["callAsSite"], address: string): Promise<void> {
  const isTheirs = await callAsSite("reserve_inbox", { address });
  if (isTheirs === null) {
    log.info("The inbox waits for SITE_OWNER_EMAIL to confirm an account.");
  }
  if (isTheirs === false) {
    log.warn("The inbox already has an owner, whose address is not SITE_OWNER_EMAIL.");
  }
}

/** Logs the link that makes an account the inbox's owner, while there is none. */
async function offerClaim(callAsSite: Backend["callAsSite"], siteUrl: URL): Promise<void> {
  const code = await callAsSite("new_claim_code", {});
  if (typeof code === "string") {
    const link = new URL(`/admin/claim?code=${code}`, siteUrl);
    log.warn(
      `The inbox has no owner. Unless it had one before, every account can read it. Make it yours at ${link}`,
    );
  }
}
