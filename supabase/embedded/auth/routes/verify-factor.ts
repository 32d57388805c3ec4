import type { TransactionSql } from "postgres";
import { z } from "zod";
import { mailFactorLock } from "#embedded/auth/account-mails.ts";
import { requireSignedIn, type SignedIn } from "#embedded/auth/bearer.ts";
import { readBody } from "#embedded/auth/body.ts";
import { type AuthContext, type AuthRequest, clientIp } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { countWrongCode, resetWrongCodes, requireUnlocked } from "#embedded/auth/factor-locks.ts";
import { type FactorRow, lockUser, openChallenge, ownFactor } from "#embedded/auth/factors.ts";
import { startFamily } from "#embedded/auth/refresh-tokens.ts";
import { addMethod, reissue } from "#embedded/auth/sessions.ts";
import { acceptedStep } from "#embedded/auth/totp.ts";
import { reloadUser } from "#embedded/auth/users.ts";
import { isUuid } from "#embedded/uuid.ts";
import { requireVerifyEnabled } from "./factors.ts";

const bodySchema = z.object({
  challenge_id: z.string().max(64).nullish(),
  code: z.string().max(64).nullish(),
});
const nilUuid = "00000000-0000-0000-0000-000000000000";

/** POST /factors/:id/verify: returns a token response of the same session, now at aal2. */
export async function verifyFactor(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user } = signedIn;
  const body = await readBody(c, bodySchema);
  const challengeId = body.challenge_id ?? nilUuid;
  const code = body.code ?? "";
  const outcome = await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    const factor = await ownFactor(tx, user.id, c.req.param("id") ?? "");
    if (code === "") {
      throw validationFailed("Code needs to be non-empty");
    }
    if (!isUuid(challengeId)) {
      throw new AuthError(400, "bad_json", "Could not parse request body as JSON: no UUID");
    }
    requireVerifyEnabled(context);
    await requireUnlocked(tx, context, user.id);
    const ip = clientIp(c) ?? "::";
    const challenge = await openChallenge(tx, context, { factorId: factor.id, challengeId, ip });
    if (!challenge) {
      return "expired";
    }
    if (!(await acceptCode(tx, context, factor, code))) {
      const counts = factor.status === "verified";
      return counts && (await countWrongCode(tx, context, user.id)) ? "locked" : "wrong";
    }
    await resetWrongCodes(tx, user.id);
    await tx`
      update auth.mfa_challenges set verified_at = ${new Date(context.now())}
      where id = ${challenge.id}`;
    return raiseToAal2(tx, context, signedIn, factor.id);
  });
  if (outcome === "locked") {
    mailFactorLock(context, user);
  }
  if (typeof outcome !== "string") {
    context.log.info("An account used its second factor", { account: user.id });
    return c.json(outcome);
  }
  context.log.info("A code of a second factor failed", { account: user.id, outcome });
  throw outcome === "expired"
    ? new AuthError(
        422,
        "mfa_challenge_expired",
        `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
      )
    : new AuthError(422, "mfa_verification_failed", "Invalid TOTP code entered");
}

/** Whether the code is right and was not used before (RFC 6238 section 5.2). */
async function acceptCode(
  tx: TransactionSql,
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
  tx: TransactionSql,
  context: AuthContext,
  { user, session }: SignedIn,
  factorId: string,
) {
  const updated = await tx`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId},
      updated_at = ${new Date(context.now())}
    where id = ${session.id}`;
  if (updated.count === 0) {
    throw new AuthError(
      403,
      "session_not_found",
      "Session from session_id claim in JWT does not exist",
    );
  }
  await addMethod(tx, context, session.id, "totp");
  const refreshToken = await startFamily(tx, context, session);
  await tx`delete from auth.sessions where user_id = ${user.id} and aal < 'aal2'`;
  await tx`
    delete from auth.mfa_factors
    where user_id = ${user.id} and status = 'unverified' and factor_type = 'totp'`;
  return reissue(tx, context, session.id, await reloadUser(tx, user.id), refreshToken);
}
