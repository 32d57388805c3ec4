import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { Log } from "#embedded/log.ts";
import type { Brand } from "#supabase/shared/mail.ts";
import { smtpFault, withoutAddresses } from "#supabase/shared/smtp-fault.ts";
import { type AccountMail, composeAccountMail } from "./texts.ts";

/** `smtpUrl` is in nodemailer's format: `smtps://user:password@host`. */
export interface MailSettings {
  smtpUrl: string;
  from: string;
}

export type Mail = AccountMail & { to: string };

export interface Mailer {
  /** Composes and sends in the background, so that the response time reveals no account. */
  send(compose: () => Promise<Mail[]>): void;
  /** Waits at most three seconds for pending mails. */
  close(): Promise<void>;
}

// The site has ten seconds to stop in all.
const closeTimeoutMs = 3_000;

/**
 * Returns a mailer that sends by SMTP or, without `settings`, writes files to `<dataDir>/mails`. It
 * logs the server's replies, but no addresses and no texts.
 */
export function createMailer(
  settings: MailSettings | undefined,
  dataDir: string,
  brand: Brand,
  log: Log,
): Mailer {
  const deliver = settings
    ? smtpDelivery(settings, log)
    : fileDelivery(join(dataDir, "mails"), log);
  const pending = new Set<Promise<void>>();

  async function run(compose: () => Promise<Mail[]>) {
    try {
      for (const mail of await compose()) {
        await deliver(mail.template, { to: mail.to, ...composeAccountMail(mail, brand) });
      }
    } catch (error) {
      log.error("A mail could not be sent", smtpFault(error));
    }
  }

  return {
    send(compose) {
      const work = run(compose).finally(() => pending.delete(work));
      pending.add(work);
    },
    async close() {
      await Promise.race([Promise.all(pending), sleep(closeTimeoutMs, undefined, { ref: false })]);
      if (pending.size > 0) {
        log.error("Mails were not sent before the stop", { count: pending.size });
      }
    },
  };
}

type Message = ReturnType<typeof composeAccountMail> & { to: string };

function smtpDelivery({ smtpUrl, from }: MailSettings, log: Log) {
  const transport = createTransport(smtpUrl);
  transport.verify().then(
    () => log.info("The mail server of SMTP_URL accepts mails of this site"),
    (error: unknown) => log.error("SMTP_URL does not work: no mail can be sent", smtpFault(error)),
  );
  return async (template: string, content: Message) => {
    const { response } = await transport.sendMail({ from, ...content });
    log.info("A mail was sent", { template, reply: withoutAddresses(response) });
  };
}

function fileDelivery(folder: string, log: Log) {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return async (template: string, content: Message) => {
    const { message: eml } = await transport.sendMail({ from: "no-reply@localhost", ...content });
    const path = join(folder, `${Date.now()}-${template}-${randomUUID()}.eml`);
    await mkdir(folder, { recursive: true, mode: 0o700 });
    await writeFile(path, eml, { mode: 0o600, flag: "wx" });
    log.warn("No SMTP server is set: a mail was written to a file", { template, path });
  };
}
