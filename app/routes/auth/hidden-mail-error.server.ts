import { log } from "#app/lib/log.server.ts";
import type { ServiceError } from "#app/models/refusal.ts";

// GoTrue (supabase/auth, internal/api) sends a mail before it answers.
const notSent = /^(Error sending|Unable to process request)/;

/**
 * Whether a form that mails an address must look as if the mail was sent, although it was refused.
 * GoTrue mails some addresses only, so that its refusal would tell whether there is an account.
 * Logs a mail that GoTrue cannot send.
 */
export function isHiddenMailError({ status, code, message = "" }: ServiceError): boolean {
  if (status === 500 && notSent.test(message)) {
    log.error("Supabase could not send a mail: look at its SMTP settings and its log", { code });
    return true;
  }
  // Of a mail that is under way, or of too many: app/server/outside/refusals.ts logs these.
  return code === "over_email_send_rate_limit";
}
