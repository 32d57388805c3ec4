import { z } from "zod";
import { mailChange, mailFactorLock } from "#embedded/auth/account-mails.ts";
import { requireSignedIn, sessionNotFound, type SignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { countWrongCode, requireUnlocked, resetWrongCodes } from "#embedded/auth/factor-locks.ts";
import { type FactorRow, lockUser, openChallenge, ownFactor } from "#embedded/auth/factors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { startFamily } from "#embedded/auth/refresh-tokens.ts";
import { addMethod, reissue } from "#embedded/auth/sessions.ts";
import { acceptedStep } from "#embedded/auth/totp.ts";
import { reloadUser } from "#embedded/auth/users.ts";
import type { Sql } from "#embedded/sql.ts";

const bodySchema = z.object({ challenge_id: z.uuid(), code: z.string() });

/** POST /factors/:id/verify: returns a token response of the same session, now at aal2. */
export async function verifyFactor(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user } = signedIn;
  const { challenge_id: challengeId, code } = await readBody(c, bodySchema);
  let isNew = false;
  // A wrong code is no error inside the transaction: its count must be stored.
  const result = await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    const factor = await ownFactor(tx, user.id, c.req.param("id") ?? "");
    await requireUnlocked(tx, context, user.id);
    await openChallenge(tx, context, { factorId: factor.id, challengeId });
    if (!(await acceptCode(tx, context, factor, code))) {
      const counts = factor.status === "verified";
      return counts && (await countWrongCode(tx, context, user.id)) ? "locked" : "wrong";
    }
    isNew = factor.status === "unverified";
    await resetWrongCodes(tx, user.id);
    await tx`
      update auth.mfa_challenges set verified_at = ${new Date(context.now())}
      where id = ${challengeId}`;
    return raiseToAal2(tx, context, signedIn, factor.id);
  });
  if (result === "locked") {
    mailFactorLock(context, user);
  }
  if (typeof result === "string") {
    context.log.info("A code of a second factor failed", { account: user.id, result });
    throw new AuthError(422, "mfa_verification_failed", "Invalid TOTP code entered");
  }
  context.log.info("An account used its second factor", { account: user.id });
  if (isNew) {
    mailChange(context, "factor_added", user.email);
  }
  return c.json(result);
}

/** Whether the code is right and was not used before (RFC 6238 section 5.2). */
async function acceptCode(
  tx: Sql,
  context: AuthContext,
  factor: FactorRow,
  code: string,
): Promise<boolean> {
  const secret = context.secrets.decrypt(factor.secret, factor.id);
  const step = acceptedStep(secret, code, context.now());
  if (step === undefined || step <= Number(factor.last_accepted_step ?? -1)) {
    return false;
  }
  await tx`
    update auth.mfa_factors set status = 'verified', last_accepted_step = ${step},
      updated_at = ${new Date(context.now())}
    where id = ${factor.id}`;
  return true;
}

async function raiseToAal2(
  tx: Sql,
  context: AuthContext,
  { user, session }: SignedIn,
  factorId: string,
) {
  const updated = await tx`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId},
      updated_at = ${new Date(context.now())}
    where id = ${session.id}`;
  if (updated.count === 0) {
    throw sessionNotFound();
  }
  await addMethod(tx, context, { sessionId: session.id, method: "totp", isProof: false });
  const refreshToken = await startFamily(tx, context, session);
  await tx`delete from auth.sessions where user_id = ${user.id} and aal < 'aal2'`;
  await tx`delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'`;
  return reissue(tx, context, session.id, await reloadUser(tx, user.id), refreshToken);
}
