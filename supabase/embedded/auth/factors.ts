import type { Sql } from "#embedded/sql.ts";
import { maxFactors } from "./constants.ts";
import type { AuthContext } from "./context.ts";
import { AuthError } from "./errors.ts";

/** The lifetime of a challenge, as in GoTrue. */
export const challengeSeconds = 300;

export interface FactorRow {
  id: string;
  user_id: string;
  friendly_name: string;
  status: "verified" | "unverified";
  secret: string;
  last_accepted_step: string | null;
}

/** Returns the user's factor. Throws 404 validation_failed or mfa_factor_not_found. */
export async function ownFactor(tx: Sql, userId: string, factorId: string): Promise<FactorRow> {
  if (!/^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i.test(factorId)) {
    throw new AuthError(404, "validation_failed", "factor_id must be an UUID");
  }
  const [factor] = await tx<FactorRow>`
    select id, user_id, friendly_name, status, secret, last_accepted_step
    from auth.mfa_factors where id = ${factorId} and user_id = ${userId}`;
  if (!factor) {
    throw new AuthError(404, "mfa_factor_not_found", "Factor not found");
  }
  return factor;
}

/** Throws AuthError 422 or 403 if the user may not enrol another factor. */
export async function checkEnrolment(
  tx: Sql,
  params: { userId: string; aal: string; friendlyName: string },
): Promise<void> {
  const { userId, friendlyName } = params;
  const factors = await tx<Pick<FactorRow, "friendly_name" | "status">>`
    select friendly_name, status from auth.mfa_factors where user_id = ${userId}`;
  if (factors.some((factor) => factor.friendly_name === friendlyName)) {
    throw new AuthError(
      422,
      "mfa_factor_name_conflict",
      `A factor with the friendly name ${JSON.stringify(friendlyName)} for this user already exists`,
    );
  }
  if (factors.length >= maxFactors) {
    throw new AuthError(
      422,
      "too_many_enrolled_mfa_factors",
      "Maximum number of verified factors reached, unenroll to continue",
    );
  }
  if (params.aal === "aal1" && factors.some(({ status }) => status === "verified")) {
    throw new AuthError(403, "insufficient_aal", "AAL2 required to enroll a new factor");
  }
}

/** Checks a challenge and locks it. Throws AuthError 422. */
export async function openChallenge(
  tx: Sql,
  { now }: AuthContext,
  { factorId, challengeId }: { factorId: string; challengeId: string },
): Promise<void> {
  const [challenge] = await tx<{ verified_at: Date | null; created_at: Date }>`
    select verified_at, created_at from auth.mfa_challenges
    where id = ${challengeId} and factor_id = ${factorId} for update`;
  if (!challenge) {
    throw new AuthError(
      422,
      "mfa_factor_not_found",
      "MFA factor with the provided challenge ID not found",
    );
  }
  if (challenge.verified_at) {
    // GoTrue has this error for a used challenge, too.
    throw new AuthError(
      422,
      "mfa_ip_address_mismatch",
      "Challenge and verify IP addresses mismatch.",
    );
  }
  if (challenge.created_at.getTime() + challengeSeconds * 1000 <= now()) {
    throw new AuthError(
      422,
      "mfa_challenge_expired",
      `MFA challenge ${challengeId} has expired, verify against another challenge or create a new challenge.`,
    );
  }
}
