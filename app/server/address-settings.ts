import addressparser from "nodemailer/lib/addressparser";
import { z } from "zod";
import { asciiDomain, isAccountEmail } from "#app/lib/email.ts";

/** An address, unless `faultOf` names what is wrong with it. */
const addressSchema = (faultOf: (url: URL | null) => string | undefined) =>
  z.string().superRefine((value, context) => {
    const fault = faultOf(URL.parse(value));
    if (fault) {
      context.addIssue(fault);
    }
  });

/** Whether a host of a URL is this machine alone. */
export const isLoopback = (hostname: string) =>
  ["localhost", "127.0.0.1", "[::1]"].includes(hostname);

function originFault(url: URL | null, example: string): string | undefined {
  if (!url || !/^https?:$/.test(url.protocol)) {
    return `must be an address such as ${example}`;
  }
  if (url.username || url.password) {
    return "must not hold a user or a password";
  }
  if (url.pathname !== "/" || url.search || url.hash) {
    return "must end with the host or the port, without a path";
  }
  return undefined;
}

function siteUrlFault(url: URL | null): string | undefined {
  if (url?.protocol === "http:" && !isLoopback(url.hostname)) {
    return "must start with https:// (http:// is for localhost only)";
  }
  return originFault(url, "https://your.site");
}

function notificationUrlFault(url: URL | null): string | undefined {
  const isSafe =
    url?.protocol === "https:" || (url?.protocol === "http:" && isLoopback(url.hostname));
  return isSafe ? undefined : "must start with https:// (http:// is for this machine only)";
}

/** SITE_URL: the site is not below a path. */
export const siteUrlSchema = addressSchema(siteUrlFault);

/** NOTIFICATION_URL. */
export const notificationUrlSchema = addressSchema(notificationUrlFault);

/** SUPABASE_URL: its services are below paths of their own. */
export const supabaseUrlSchema = addressSchema((url) =>
  originFault(url, "https://abc.supabase.co"),
);

/** SUPABASE_DB_URL. */
export const databaseUrlSchema = z.url({
  protocol: /^postgres(ql)?$/,
  error: "must be an address such as postgresql://postgres:password@db.example:5432/postgres",
});

const mailServerFault =
  "must be an address such as smtps://user:password@mail.example, where # / and ? in the password are written %23 %2F and %3F";

/** SMTP_URL. There is no @ after the host: it would mean that the password has one of these signs. */
export const mailServerSchema = z
  .url({ protocol: /^smtps?$/, error: mailServerFault })
  .regex(/:\/\/[^/?#]*[^@]*$/, mailServerFault);

/** MAIL_FROM: the From header, which the mail server gets as it is: one address, with or without a name. */
export const senderSchema = z.string().refine((text) => {
  const [sender, ...others] = addressparser(text, { flatten: true });
  return others.length === 0 && isAccountEmail(asciiDomain(sender?.address ?? ""));
}, "must be one address: site@your.site or Name <site@your.site>");
