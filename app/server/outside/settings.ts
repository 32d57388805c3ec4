import { z } from "zod";
import { log } from "#app/lib/log.server.ts";

const againMs = 60_000;
const settingsSchema = z.object({ mailer_autoconfirm: z.boolean() });

const warning =
  "The Supabase at SUPABASE_URL does not confirm addresses: a change of address needs one mail only, the old address is enough, and a mistyped address gets the account. Turn confirmations on (supabase config push, or 'Confirm email' in the dashboard) and restart the site.";

/**
 * Reads the public settings of the authentication, again each minute until it answers, and warns if
 * it confirms no addresses. Returns whether it can verify one, true until it has answered.
 */
export function watchConfirmations(ask: () => Promise<Response>): () => boolean {
  let canVerify = true;
  const read = async (): Promise<void> => {
    const settings = settingsSchema.parse(await (await ask()).json());
    canVerify = !settings.mailer_autoconfirm;
    if (!canVerify) {
      log.warn(warning);
    }
  };
  const readUntilAnswered = (): void => {
    void read().catch(() => setTimeout(readUntilAnswered, againMs).unref());
  };
  readUntilAnswered();
  return () => canVerify;
}
