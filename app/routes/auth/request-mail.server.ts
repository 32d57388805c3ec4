import { data, redirect, type RouterContextProvider } from "react-router";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { emailSchema } from "#app/models/account.ts";
import { getAttempts } from "#app/session/supabase.server.ts";
import { takeAttempt } from "#app/models/attempts.server.ts";
import { type FormResult, type Refusal, refusalInit, refusalOf } from "#app/models/refusal.ts";
import { refusalText } from "./auth-errors.ts";

interface MailError {
  status?: number | undefined;
  code?: string | undefined;
}

/**
 * Reads an address from a form and has a mail sent to it, if there is an account that the
 * mail is for. The answer never tells whether there is one.
 * @param send asks the authentication service for the mail
 * @param target the page that says to look into the mailbox
 */
export async function requestMail(
  { request, context }: { request: Request; context: Readonly<RouterContextProvider> },
  send: (email: string) => Promise<{ error: MailError | null }>,
  target: string,
) {
  const values = textFields(await request.formData(), ["email"]);
  const result = emailSchema.safeParse(values);
  if (!result.success) {
    return data<FormResult<"email">>(
      { values, errors: fieldErrors(result.error) },
      { status: 400 },
    );
  }
  const refusal =
    (await takeAttempt(getAttempts(context), "mail", result.data.email)) ??
    (await ask(send, result.data.email));
  if (!refusal) {
    return redirect(target);
  }
  return data<FormResult<"email">>(
    { values, errors: {}, failure: refusalText(refusal) },
    refusalInit(refusal),
  );
}

async function ask(
  send: Parameters<typeof requestMail>[1],
  email: string,
): Promise<Refusal | undefined> {
  const { error } = await send(email);
  // A hosted service limits mails only for addresses that it knows.
  if (!error || error.code === "over_email_send_rate_limit") {
    return undefined;
  }
  return refusalOf(error);
}
