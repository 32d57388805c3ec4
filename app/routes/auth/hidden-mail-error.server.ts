import { log } from "#app/lib/log.server.ts";
import { isMailFault, type ServiceError } from "#app/models/account/refusal.ts";

/**
 * Whether a form that mails an address must answer as if the mail had been sent, although it was refused.
 * GoTrue mails only some addresses, so its refusal would show whether there is an account. Logs that GoTrue
 * could not send a mail.
 */
export function isHiddenMailError(error: ServiceError): boolean {
  const { code } = error;
  if (isMailFault(error)) {
    log.error("Supabase could not send a mail: look at its SMTP settings and its log", { code });
    return true;
  }
  // A mail was sent a moment ago, or there were too many (logged by app/server/backend/outside/answers.ts).
  return code === "over_email_send_rate_limit";
}
