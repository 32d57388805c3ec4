import { redirect } from "react-router";
import { takeAttempt } from "#app/models/account/attempts.server.ts";
import { type AuthRefusal, refusalOf, type ServiceError } from "#app/models/account/refusal.ts";
import { emailSchema } from "#app/models/account/schemas.ts";
import { problemOf, readForm } from "#app/routes/form.server.ts";
import { getAttempts } from "#app/session/clients.server.ts";
import { mailedAddressCookie } from "#app/session/mailed-address.server.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";
import { isHiddenMailError } from "./hidden-mail-error.server.ts";

/** Requests a mail by `send`. The response does not reveal whether the account exists. */
export async function requestMail(
  { request, context }: { request: Request; context: RouterContext },
  send: (email: string) => Promise<{ error: ServiceError | null }>,
  target: string,
) {
  const form = readForm(await request.formData(), emailSchema, { keep: ["email"] });
  if (!form.ok) {
    return form.refused;
  }
  const { email } = form.data;
  const refusal =
    (await takeAttempt(getAttempts(context), "mail", email)) ?? (await ask(send, email));
  if (refusal) {
    return form.refuse(problemOf(refusal));
  }
  const cookie = await mailedAddressCookie(context.get(siteContext)).serialize(email);
  return redirect(target, { headers: { "Set-Cookie": cookie } });
}

async function ask(
  send: Parameters<typeof requestMail>[1],
  email: string,
): Promise<AuthRefusal | undefined> {
  const { error } = await send(email);
  return error && !isHiddenMailError(error) ? refusalOf(error) : undefined;
}
