import { randomUUID } from "node:crypto";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createTransport } from "nodemailer";
import type { log as siteLog } from "#app/lib/log.server.ts";
import { type AccountMail, composeAccountMail } from "./account-texts.ts";
import type { AccountChange } from "./change-texts.ts";
import { smtpFault } from "./smtp-fault.ts";
import type { SendMail } from "./smtp.ts";

type Log = typeof siteLog;

export type AddressedMail = AccountMail & { to: string };

export interface AccountMails {
  /** Composes a mail and sends it in the background. */
  send(mail: AddressedMail): void;
  /** Waits at most three seconds for mails in flight. */
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
  pausesMs?: number[];
}

// The site has ten seconds to stop in all.
const closeTimeoutMs = 3_000;

/** Before each further try of a mail: greylisting ends within minutes, and a link is valid for an hour. */
const tryAgainMs = [60_000, 300_000, 900_000];
const mostWaiting = 500;

/**
 * Returns what sends the mails of the authentication. A mail that the server refuses for now is sent
 * again after each of `pausesMs`, unless a newer one of its kind to the address replaces it; it waits
 * in memory alone. The log has the server's replies, but no addresses and no texts.
 */
export function openAccountMails({
  smtp,
  folder,
  log,
  pausesMs = tryAgainMs,
}: Options): AccountMails {
  const deliver = smtp ? smtpDelivery(smtp, log) : fileDelivery(folder, log);
  const pending = new Set<Promise<void>>();
  /** The mails that are sent again, by kind and address. */
  const waiting = new Map<string, AbortController>();
  const logFault = (error: unknown) => log.error("A mail could not be sent", smtpFault(error));

  async function sendNow(mail: AddressedMail): Promise<void> {
    const purpose = `${mail.template} ${mail.to}`;
    waiting.get(purpose)?.abort();
    waiting.delete(purpose);
    const content = { to: mail.to, ...composeAccountMail(mail) };
    try {
      await deliver(mail.template, content);
    } catch (error) {
      if (!isRefusedForNow(error) || waiting.size >= mostWaiting) {
        logFault(error);
        return;
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
    send(mail) {
      const work = sendNow(mail).finally(() => pending.delete(work));
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
