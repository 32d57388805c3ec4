import { randomUUID } from "node:crypto";
import { mkdir, readdir, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { log as siteLog } from "#app/lib/log.server.ts";
import { type AccountMail, composeAccountMail } from "./account-texts.ts";
import type { AccountChange } from "./change-texts.ts";
import { smtpFault } from "./smtp-fault.ts";
import type { SendMail } from "./smtp.ts";

type Log = typeof siteLog;

/** Whether a mail was sent, refused for good, or put off: the server may take it later. */
type MailOutcome = "sent" | "refused" | "put off";

export type AddressedMail = AccountMail & { to: string };

export interface AccountMails {
  /** Composes and sends a mail. It is refused if no mail can reach the address. Never rejects. */
  send(mail: AddressedMail): Promise<MailOutcome>;
  /** Waits a while for mails in flight, three seconds by default. */
  close(): Promise<void>;
}

/** The mail to the holder of an account about a change of it. */
export const mailAbout = (change: AccountChange, to: string, siteUrl: string): AddressedMail => ({
  to,
  template: change,
  variables: { Email: to, SiteURL: siteUrl },
});

interface Options {
  /** Sends by SMTP. Without it, mails are written to files in `folder`. */
  smtp: SendMail | undefined;
  folder: string;
  log: Log;
  closeTimeoutMs?: number;
}

/**
 * Returns a function that sends the mails of the authentication, each once. The mail server is a relay,
 * which tries again itself. The log has the server's replies, but no addresses and no texts.
 */
export function openAccountMails(options: Options): AccountMails {
  // The site has ten seconds to stop in all.
  const { smtp, folder, log, closeTimeoutMs = 3_000 } = options;
  const deliver = smtp ? smtpDelivery(smtp, log) : fileDelivery(folder, log);
  const pending = new Set<Promise<MailOutcome>>();
  const onFault = (error: unknown) => {
    log.error("A mail could not be sent", smtpFault(error));
    return isRefusedAddress(error) ? "refused" : "put off";
  };
  return {
    send(mail) {
      const content = { to: mail.to, ...composeAccountMail(mail) };
      const work = deliver(mail.template, content)
        .then(() => "sent" as const, onFault)
        .finally(() => pending.delete(work));
      pending.add(work);
      return work;
    },
    async close() {
      await Promise.race([Promise.all(pending), sleep(closeTimeoutMs, undefined, { ref: false })]);
      if (pending.size > 0) {
        log.error("Mails were not sent before the stop", { count: pending.size });
      }
    },
  };
}

/** Whether no mail can reach the address: the server refuses it for good (RFC 5321, 4.2.1). */
function isRefusedAddress(error: unknown): boolean {
  const { command, responseCode = 0 } = error as { command?: string; responseCode?: number };
  return command === "RCPT TO" && responseCode >= 500;
}

type Message = ReturnType<typeof composeAccountMail> & { to: string };

function smtpDelivery(smtp: SendMail, log: Log) {
  return async (template: string, content: Message) => {
    const reply = await smtp(content);
    log.info("A mail was sent", { template, reply });
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

const keptMs = 30 * 24 * 60 * 60 * 1000;

/** Deletes mails that were written to files 30 days ago: they hold links and codes. Returns how many. */
export async function sweepMails(folder: string): Promise<number> {
  const oldest = Date.now() - keptMs;
  let deleted = 0;
  // Without mails there is no folder.
  for (const name of await readdir(folder).catch(() => [])) {
    const path = join(folder, name);
    if (name.endsWith(".eml") && (await stat(path)).mtimeMs < oldest) {
      await rm(path);
      deleted += 1;
    }
  }
  return deleted;
}
