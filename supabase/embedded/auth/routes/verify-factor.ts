import { z } from "zod";
import { changeSignedIn, type SignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, retryAfter } from "#embedded/auth/errors.ts";
import { type FactorRow, openChallenge, ownFactor } from "#embedded/auth/factors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { startFamily } from "#embedded/auth/refresh-tokens.ts";
import { addMethod, tokenResponse } from "#embedded/auth/sessions.ts";
import { acceptedStep } from "#embedded/auth/totp.ts";
import { reloadUser } from "#embedded/auth/users.ts";
import type { Sql } from "#embedded/sql.ts";

const firstLockingCode = 15;
const firstWaitSeconds = 60;
const maxDoublings = 11;
const maxWaitSeconds = 86_400;

const bodySchema = z.object({ challenge_id: z.uuid(), code: z.string() });

/** POST /factors/:id/verify: returns a token response of the same session, now at aal2. */
export async function verifyFactor(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { challenge_id: challengeId, code } = await readBody(c, bodySchema);
  let isNew = false;
  // A wrong code is no error inside the transaction, because its count must be stored.
  const { user, result } = await changeSignedIn(context, c, async (tx, signedIn) => {
    const { id } = signedIn.user;
    const factor = await ownFactor(tx, id, c.req.param("id") ?? "");
    await requireUnlocked(tx, context, id);
    await openChallenge(tx, context, { factorId: factor.id, challengeId });
    if (!(await acceptCode(tx, context, factor, code))) {
      const counts = factor.status === "verified";
      const isLocked = counts && (await countWrongCode(tx, context, id));
      return { ...signedIn, result: isLocked ? "locked" : "wrong" };
    }
    isNew = factor.status === "unverified";
    await tx`delete from auth.factor_locks where user_id = ${id}`;
    await tx`
      update auth.mfa_challenges set verified_at = ${new Date(context.now())}
      where id = ${challengeId}`;
    return { ...signedIn, result: await raiseToAal2(tx, context, signedIn, factor.id) };
  });
  if (result === "locked") {
    context.onAccountChange("wrong_codes", user.email);
  }
  if (typeof result === "string") {
    context.log.info("A code of a second factor failed", { account: user.id, result });
    throw new AuthError(422, "mfa_verification_failed", "Invalid TOTP code entered");
  }
  context.log.info("An account used its second factor", { account: user.id });
  if (isNew) {
    context.onAccountChange("factor_added", user.email);
  }
  return c.json(result);
}

/** Throws 429 over_request_rate_limit while the user's factors are locked. */
async function requireUnlocked(tx: Sql, { now }: AuthContext, userId: string): Promise<void> {
  const [lock] = await tx<{ locked_until: Date | null }>`
    select locked_until from auth.factor_locks where user_id = ${userId}`;
  const seconds = Math.ceil(((lock?.locked_until?.getTime() ?? 0) - now()) / 1000);
  if (seconds > 0) {
    throw retryAfter("over_request_rate_limit", seconds);
  }
}

/** Counts a wrong code; the user's row must be locked. Returns whether it locks the factors. */
async function countWrongCode(tx: Sql, { now }: AuthContext, userId: string): Promise<boolean> {
  const [lock] = await tx<{ wrong_codes: number }>`
    insert into auth.factor_locks as known (user_id, wrong_codes) values (${userId}, 1)
    on conflict (user_id) do update set wrong_codes = known.wrong_codes + 1
    returning wrong_codes`;
  const excess = (lock?.wrong_codes ?? 0) - firstLockingCode;
  if (excess < 0) {
    return false;
  }
  const seconds = Math.min(firstWaitSeconds * 2 ** Math.min(excess, maxDoublings), maxWaitSeconds);
  await tx`
    update auth.factor_locks set locked_until = ${new Date(now() + seconds * 1000)}
    where user_id = ${userId}`;
  return true;
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
  await tx`
    update auth.sessions set aal = 'aal2', factor_id = ${factorId},
      updated_at = ${new Date(context.now())}
    where id = ${session.id}`;
  await addMethod(tx, context, { sessionId: session.id, method: "totp", isProof: false });
  const refreshToken = await startFamily(tx, context, { id: session.id, user_id: user.id });
  await tx`delete from auth.sessions where user_id = ${user.id} and aal < 'aal2'`;
  await tx`delete from auth.mfa_factors where user_id = ${user.id} and status = 'unverified'`;
  return tokenResponse(tx, context, session.id, await reloadUser(tx, user.id), refreshToken);
}
