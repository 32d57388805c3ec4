import { z } from "zod";
import { type Account, codeSchema } from "./account.ts";
import type { Attempts } from "./attempts.server.ts";
import { answerOf } from "./data-of.server.ts";
import type { AuthRefusal } from "./refusal.ts";
import { checkPassword, verifyCode } from "./second-factor.server.ts";
import type { Supabase } from "./supabase.ts";

const currentText = "اكتب كلمة المرور الحالية.";

export const deletionSchema = z.object({
  current: z.string().min(1, currentText).max(1000, currentText),
  code: z.optional(codeSchema.shape.code),
});

export const deletionFields = ({ factors }: Account): ("current" | "code")[] =>
  factors.length > 0 ? ["current", "code"] : ["current"];

/** Whether the account was deleted meanwhile. */
export async function isDeleted({ auth }: Supabase): Promise<boolean> {
  const { error } = await auth.getUser();
  return error?.code === "user_not_found";
}

/**
 * Deletes the account of `visitor` after its password, which `anonymous` checks, and, if there is a second
 * factor, a code.
 * @returns what was refused, undefined if the account is deleted
 * @throws {Response}
 */
export async function deleteAccount(
  { visitor, anonymous }: { visitor: Supabase; anonymous: Supabase },
  attempts: Attempts,
  account: Account,
  { current, code = "" }: z.output<typeof deletionSchema>,
): Promise<{ field: "current" | "code"; refusal: AuthRefusal } | undefined> {
  const wrongPassword = await checkPassword(anonymous, attempts, account, current);
  if (wrongPassword) {
    return { field: "current", refusal: wrongPassword };
  }
  const wrongCode =
    account.factors.length > 0 ? await verifyCode(visitor, attempts, account, code) : undefined;
  if (wrongCode) {
    return { field: "code", refusal: wrongCode };
  }
  const asked = attempts.site.callAsSite("delete_account", { session: account.session });
  const isOver = z.boolean().parse(await answerOf(asked, "An account was not deleted"));
  return isOver
    ? undefined
    : { field: "current", refusal: { status: 403, code: "session_not_found" } };
}
