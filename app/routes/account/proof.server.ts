import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import type { Account } from "#app/models/account/current-account.ts";
import { codeSchema } from "#app/models/account/schemas.ts";
import { verifyCode } from "#app/models/account/second-factor.server.ts";
import { getAccessToken } from "#app/models/account/sessions.server.ts";
import { checkPassword } from "#app/models/account/sign-in.server.ts";
import { authErrorText } from "#app/routes/auth/auth-errors.ts";
import { type Problem, problemOf } from "#app/routes/form.server.ts";
import { getSeparateSupabase, getAttempts, getSupabase } from "#app/session/clients.server.ts";
import type { RouterContext } from "#app/session/site-context.server.ts";

/**
 * Checks the code or password of a form's ProofFields. Required before a change that a stolen
 * session must not make. Returns undefined if the proof is right.
 */
export async function checkProof(
  context: RouterContext,
  account: Account,
  form: FormData,
): Promise<Problem<"code" | "current"> | undefined> {
  const { code, current } = textFields(form, ["code", "current"]);
  const own = getSupabase(context);
  const attempts = getAttempts(context);
  if (account.factors.length > 0 && current === "") {
    const result = codeSchema.safeParse({ code });
    if (!result.success) {
      return { status: 400, errors: fieldErrors(result.error) };
    }
    const refusal = await verifyCode(own, attempts, account, result.data.code);
    return refusal && problemOf(refusal, "code");
  }
  if (current === "") {
    return { status: 400, errors: { current: authErrorText("current_password_required") } };
  }
  // With the visitor's token, the check counts as a recent authentication of that session.
  const separate = getSeparateSupabase(context, await getAccessToken(own));
  const refusal = await checkPassword(separate, attempts, account, current);
  return refusal && problemOf(refusal, "current");
}
