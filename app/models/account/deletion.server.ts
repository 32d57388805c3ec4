import { z } from "zod";
import { dataOfCall } from "#app/models/data-of.server.ts";
import type { Supabase } from "#app/models/supabase.ts";
import type { Attempts } from "./attempts.server.ts";
import type { Account } from "./current-account.ts";
import type { AuthRefusal } from "./refusal.ts";
import { codeSchema } from "./schemas.ts";
import { verifyCode } from "./second-factor.server.ts";
import { checkPassword } from "./sign-in.server.ts";

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
 * Deletes the account of `own` after its password, which `separate` checks, and, if there is a second
 * factor, a code.
 * @returns what was refused, undefined if the account is deleted
 * @throws {Response}
 */
export async function deleteAccount(
  { own, separate }: { own: Supabase; separate: Supabase },
  attempts: Attempts,
  account: Account,
  { current, code = "" }: z.output<typeof deletionSchema>,
): Promise<{ field: "current" | "code"; refusal: AuthRefusal } | undefined> {
  const wrongPassword = await checkPassword(separate, attempts, account, current);
  if (wrongPassword) {
    return { field: "current", refusal: wrongPassword };
  }
  const wrongCode =
    account.factors.length > 0 ? await verifyCode(own, attempts, account, code) : undefined;
  if (wrongCode) {
    return { field: "code", refusal: wrongCode };
  }
  const asked = attempts.site.callAsSite("delete_account", { session: account.session });
  const isOver = z.boolean().parse(await dataOfCall(asked, "An account was not deleted"));
  return isOver
    ? undefined
    : { field: "current", refusal: { status: 403, code: "session_not_found" } };
}
