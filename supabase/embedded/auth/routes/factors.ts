import { z } from "zod";
import { requireProof, requireSignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { challengeSeconds, checkEnrolment, lockUser, ownFactor } from "#embedded/auth/factors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { newTotp } from "#embedded/auth/totp.ts";

// The length fits an index entry and a QR code.
const enrolSchema = z.object({
  factor_type: z.literal("totp"),
  friendly_name: z.string().max(255).default(""),
});

/** POST /factors: creates an unverified TOTP factor. Only this response contains its secret. */
export async function enrol(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user, session } = signedIn;
  const { friendly_name: friendlyName } = await readBody(c, enrolSchema);
  const { secrets, siteUrl } = context;
  const id = crypto.randomUUID();
  const totp = newTotp(new URL(siteUrl).host, user.email);
  const now = new Date(context.now());
  await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    await checkEnrolment(tx, { userId: user.id, aal: session.aal, friendlyName });
    requireProof(context, signedIn);
    await tx`
      insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (${id}, ${user.id}, ${friendlyName}, 'totp', 'unverified',
        ${secrets.encrypt(totp.secret, id)}, ${now}, ${now})`;
  });
  return c.json({ id, type: "totp", friendly_name: friendlyName, totp });
}

/** POST /factors/:id/challenge: returns {id, type, expires_at}. */
export async function challenge(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { user } = await requireSignedIn(context, c);
  const id = crypto.randomUUID();
  const now = new Date(context.now());
  const factor = await ownFactor(context.db, user.id, c.req.param("id") ?? "");
  await context.db`
    insert into auth.mfa_challenges (id, factor_id, created_at)
    values (${id}, ${factor.id}, ${now})`;
  const expiresAt = Math.floor(context.now() / 1000) + challengeSeconds;
  return c.json({ id, type: "totp", expires_at: expiresAt });
}

/** DELETE /factors/:id: returns {id}. The factor's sessions go back to aal1. */
export async function unenrol(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user, session } = signedIn;
  const { id, status } = await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    const factor = await ownFactor(tx, user.id, c.req.param("id") ?? "");
    if (factor.status === "verified") {
      if (session.aal === "aal1") {
        throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
      }
      requireProof(context, signedIn);
    }
    await tx`delete from auth.mfa_factors where id = ${factor.id}`;
    await tx`
      delete from auth.mfa_amr_claims
      where authentication_method = 'totp'
        and session_id in (select id from auth.sessions where factor_id = ${factor.id})`;
    await tx`
      update auth.sessions set aal = 'aal1', factor_id = null
      where user_id = ${user.id} and factor_id = ${factor.id}`;
    return factor;
  });
  context.log.info("A second factor was removed", { account: user.id });
  if (status === "verified") {
    context.onAccountChange("factor_removed", user.email);
  }
  return c.json({ id });
}
