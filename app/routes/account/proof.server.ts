import { data, type RouterContextProvider } from "react-router";
import { fieldErrors, textFields } from "#app/lib/form-errors.ts";
import { type Account, codeSchema } from "#app/models/account.ts";
import { type FormResult, type Refusal, refusalInit } from "#app/models/refusal.ts";
import { checkPassword, verifyCode } from "#app/models/second-factor.server.ts";
import { getAccessToken } from "#app/models/sessions.server.ts";
import { getAnonymousSupabase, getAttempts, getSupabase } from "#app/session/supabase.server.ts";
import { authErrorText, refusalText } from "#app/routes/auth/auth-errors.ts";

type Context = Readonly<RouterContextProvider>;
type ProofField = "code" | "current";

/**
 * Before something that a borrowed or stolen session must not do: checks the fresh code, or
 * the password, that the form's ProofFields brought.
 * @returns the answer that refuses, or undefined
 */
export async function refuseWithoutProof(context: Context, account: Account, form: FormData) {
  const { code, current } = textFields(form, ["code", "current"]);
  const visitor = getSupabase(context);
  const attempts = getAttempts(context);
  if (account.factors.length > 0 && current === "") {
    const result = codeSchema.safeParse({ code });
    if (!result.success) {
      return refused(fieldErrors(result.error), { status: 400 });
    }
    return answer("code", await verifyCode(visitor, attempts, account, result.data.code));
  }
  if (current === "") {
    return refused({ current: authErrorText("current_password_required") }, { status: 400 });
  }
  // With the visitor's token, so that the check authenticates that session again.
  const anonymous = getAnonymousSupabase(context, await getAccessToken(visitor));
  return answer("current", await checkPassword(anonymous, attempts, account, current));
}

function answer(field: ProofField, refusal: Refusal | undefined) {
  if (!refusal) {
    return undefined;
  }
  const isWrong = refusal.code === "invalid_credentials";
  const text = isWrong ? authErrorText("current_password_invalid") : refusalText(refusal);
  return refused({ [field]: text }, refusalInit(refusal));
}

const refused = (errors: FormResult<ProofField>["errors"], init: ResponseInit) =>
  data<FormResult<ProofField>>({ errors }, init);
