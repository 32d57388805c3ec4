import { createTransport, type SendMailOptions } from "nodemailer";
import { log } from "#app/lib/log.server.ts";
import type { Env } from "#app/server/settings.ts";
import { smtpFault, withoutAddresses } from "./smtp-fault.ts";

type Settings = Pick<Env, "SMTP_URL" | "MAIL_FROM">;

/** Sends a mail from the site. Returns the server's reply; rejects with nodemailer's error (smtpFault). */
export type SendMail = (mail: SendMailOptions & { to: string }) => Promise<string>;

// Some servers delay their greeting to deter spammers. The sum is below the notifications' lease.
const timeouts = {
  dnsTimeout: 10_000,
  connectionTimeout: 20_000,
  greetingTimeout: 20_000,
  socketTimeout: 30_000,
};
const access = { disableFileAccess: true, disableUrlAccess: true };

const transportTo = (url: string) => createTransport({ url, ...timeouts, ...access });

/** Returns what sends the site's mails by SMTP, undefined without the settings. */
export function smtpOf({ SMTP_URL, MAIL_FROM: from }: Settings): SendMail | undefined {
  if (SMTP_URL === undefined || from === undefined) {
    return undefined;
  }
  const transport = transportTo(SMTP_URL);
  return async ({ to, ...mail }) => {
    const { response } = await transport.sendMail({
      from,
      // As an object, because a text may be read as a list of addresses.
      to: { name: "", address: to },
      headers: { "Auto-Submitted": "auto-generated", "X-Auto-Response-Suppress": "All" },
      ...mail,
    });
    return withoutAddresses(response);
  };
}

/** Logs whether the server of SMTP_URL accepts the site's login. */
export async function checkSmtp({ SMTP_URL }: Settings): Promise<void> {
  if (SMTP_URL === undefined) {
    return;
  }
  try {
    await transportTo(SMTP_URL).verify();
    log.info("The mail server of SMTP_URL accepts mails of this site");
  } catch (error) {
    log.error("SMTP_URL does not work: no mail can be sent", smtpFault(error));
  }
}
