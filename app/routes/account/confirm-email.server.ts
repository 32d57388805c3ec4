import { href } from "react-router";
import { redirectWithToast } from "remix-toast";
import { takeAttempt } from "#app/models/account/attempts.server.ts";
import { refusalOf } from "#app/models/account/refusal.ts";
import { refusalText } from "#app/routes/auth/auth-errors.ts";
import { getAttempts, getSupabase } from "#app/session/clients.server.ts";
import { getAccount } from "#app/session/guards.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

/**
 * Mails a link that verifies the address when it is opened in this browser. Until then, access to
 * the mailbox is enough to take over the account, even with a second factor
 * (supabase/embedded/README.md, "Where the authentication differs from GoTrue").
 */
export async function mailConfirmation(context: RouterContext) {
  const { email } = await getAccount(context);
  const refusal =
    (await takeAttempt(getAttempts(context), "mail", email)) ?? (await send(context, email));
  if (refusal) {
    return redirectWithToast(href("/account"), { type: "error", message: refusalText(refusal) });
  }
  return redirectWithToast(href("/account"), {
    type: "success",
    message: "تفقّد بريدك",
    description: "افتح الرابط الذي في الرسالة في هذا المتصفح.",
  });
}

async function send(context: RouterContext, email: string) {
  const emailRedirectTo = new URL(href("/account"), context.get(siteContext).url).href;
  const { error } = await getSupabase(context).auth.signInWithOtp({
    email,
    options: { emailRedirectTo, shouldCreateUser: false },
  });
  return error ? refusalOf(error) : undefined;
}
