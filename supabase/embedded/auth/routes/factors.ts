import { z } from "zod";
import { changeSignedIn, requireProof, requireSignedIn } from "#embedded/auth/bearer.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError } from "#embedded/auth/errors.ts";
import { challengeSeconds, checkEnrolment, ownFactor } from "#embedded/auth/factors.ts";
import { readBody } from "#embedded/auth/fields.ts";
import { newTotp } from "#embedded/auth/totp.ts";

// The length fits an index entry and a QR code.
const enrolSchema = z.object({
  factor_type: z.literal("totp"),
  friendly_name: z.string().max(255).default(""),
});

/** POST /factors: creates an unverified TOTP factor. Only this response contains its secret. */
export async function enrol(context: AuthContext, c: AuthRequest): Promise<Response> {
  // As in GoTrue, this comes before the body is read: nobody without a session may learn what is wrong with
  // it.
  await requireSignedIn(context, c);
  const { friendly_name: friendlyName } = await readBody(c, enrolSchema);
  const { secrets, siteUrl } = context;
  const id = crypto.randomUUID();
  const now = new Date(context.now());
  const totp = await changeSignedIn(context, c, async (tx, signedIn) => {
    const { user, session } = signedIn;
    const made = newTotp(siteUrl, user.email);
    await checkEnrolment(tx, { userId: user.id, aal: session.aal, friendlyName });
    requireProof(context, signedIn);
    await tx`
      insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (${id}, ${user.id}, ${friendlyName}, 'totp', 'unverified',
        ${secrets.encrypt(made.secret, id)}, ${now}, ${now})`;
    return made;
  });
  return c.json({ id, type: "totp", friendly_name: friendlyName, totp });
}

/** POST /factors/:id/challenge: returns {id, type, expires_at}. */
export async function challenge(context: AuthContext, c: AuthRequest): Promise<Response> {
  const id = crypto.randomUUID();
  const now = new Date(context.now());
  await changeSignedIn(context, c, async (tx, { user }) => {
    const factor = await ownFactor(tx, user.id, c.req.param("id") ?? "");
    await tx`
      insert into auth.mfa_challenges (id, factor_id, created_at)
      values (${id}, ${factor.id}, ${now})`;
  });
  const expiresAt = Math.floor(context.now() / 1000) + challengeSeconds;
  return c.json({ id, type: "totp", expires_at: expiresAt });
}

/** DELETE /factors/:id: returns {id}. The factor's sessions go back to aal1. */
export async function unenrol(context: AuthContext, c: AuthRequest): Promise<Response> {
  const removed = await changeSignedIn(context, c, async (tx, signedIn) => {
    const { user, session } = signedIn;
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
    return { id: factor.id, status: factor.status, user };
  });
  context.log.info("A second factor was removed", { account: removed.user.id });
  if (removed.status === "verified") {
    context.onAccountChange("factor_removed", removed.user.email);
  }
  return c.json({ id: removed.id });
}
