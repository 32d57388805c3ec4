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

/** Before each further try of a mail: greylisting ends within minutes, and a link is valid for an hour. */
const tryAgainMs = [60_000, 300_000, 900_000];
const mostWaiting = 500;

/**
 * Returns a mailer that sends by SMTP or, without `settings`, writes files to `<dataDir>/mails`. A
 * mail that the server refuses for now is sent again after each of `pausesMs`, unless a newer one of
 * its kind to the address replaces it; it waits in memory alone. The log has the server's replies, but
 * no addresses and no texts.
 */
export function createMailer(
  settings: MailSettings | undefined,
  dataDir: string,
  brand: Brand,
  log: Log,
  pausesMs = tryAgainMs,
): Mailer {
  const deliver = settings
    ? smtpDelivery(settings, log)
    : fileDelivery(join(dataDir, "mails"), log);
  const pending = new Set<Promise<void>>();
  /** The mails that are sent again, by kind and address. */
  const waiting = new Map<string, AbortController>();
  const logFault = (error: unknown) => log.error("A mail could not be sent", smtpFault(error));

  async function run(compose: () => Promise<Mail[]>) {
    try {
      for (const mail of await compose()) {
        await sendMail(mail);
      }
    } catch (error) {
      logFault(error);
    }
  }

  async function sendMail(mail: Mail): Promise<void> {
    const purpose = `${mail.template} ${mail.to}`;
    waiting.get(purpose)?.abort();
    waiting.delete(purpose);
    const content = { to: mail.to, ...composeAccountMail(mail, brand) };
    try {
      await deliver(mail.template, content);
    } catch (error) {
      if (!isRefusedForNow(error) || waiting.size >= mostWaiting) {
        throw error;
      }
      log.warn("A mail was refused for now, and is sent again", smtpFault(error));
      void sendAgain(purpose, () => deliver(mail.template, content), error);
    }
  }

  async function sendAgain(purpose: string, send: () => Promise<void>, refusal: unknown) {
    const replaced = new AbortController();
    waiting.set(purpose, replaced);
    let fault: unknown = refusal;
    for (const ms of pausesMs) {
      await sleep(ms, undefined, { signal: replaced.signal, ref: false }).catch(() => undefined);
      if (!replaced.signal.aborted) {
        fault = await send().catch((error: unknown) => error);
      }
      if (replaced.signal.aborted) {
        return;
      }
      if (!isRefusedForNow(fault)) {
        break;
      }
    }
    waiting.delete(purpose);
    if (fault !== undefined) {
      logFault(fault);
    }
  }

  return {
    send(compose) {
      const work = run(compose).finally(() => pending.delete(work));
      pending.add(work);
    },
    async close() {
      await Promise.race([Promise.all(pending), sleep(closeTimeoutMs, undefined, { ref: false })]);
      const count = pending.size + waiting.size;
      waiting.forEach((mail) => mail.abort());
      if (count > 0) {
        log.error("Mails were not sent before the stop", { count });
      }
    },
  };
}

/** Whether the server may accept it later: its reply begins with 4 (RFC 5321, 4.2.1). */
function isRefusedForNow(error: unknown): boolean {
  const { responseCode = 0 } = (error ?? {}) as { responseCode?: number };
  return responseCode >= 400 && responseCode < 500;
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
