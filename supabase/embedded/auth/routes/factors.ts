import { z } from "zod";
import { requireRecent, requireSignedIn } from "#embedded/auth/bearer.ts";
import { readBody } from "#embedded/auth/body.ts";
import { type AuthContext, type AuthRequest, clientIp } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { challengeSeconds, checkEnrolment, lockUser, ownFactor } from "#embedded/auth/factors.ts";
import type { AuthSettings } from "#embedded/auth/settings.ts";
import { newTotp } from "#embedded/auth/totp.ts";

const keptSeconds = 86_400;

// These lengths fit an index entry and a QR code.
const enrolSchema = z.object({
  factor_type: z.string().max(32).nullish(),
  friendly_name: z.string().max(255).nullish(),
  issuer: z.string().max(64).nullish(),
});

/** POST /factors: creates an unverified TOTP factor. Only this response contains its secret. */
export async function enrol(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user, session } = signedIn;
  const body = await readBody(c, enrolSchema);
  const { settings, secrets, siteUrl } = context;
  requireType(settings, body.factor_type);
  requireRecent(context, signedIn);
  const id = crypto.randomUUID();
  const friendlyName = body.friendly_name ?? "";
  const issuer = body.issuer || new URL(siteUrl).host;
  const totp = newTotp(issuer, user.email);
  const now = new Date(context.now());
  await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    await checkEnrolment(tx, context, { userId: user.id, aal: session.aal, friendlyName });
    await tx`
      insert into auth.mfa_factors
        (id, user_id, friendly_name, factor_type, status, secret, created_at, updated_at)
      values (${id}, ${user.id}, ${friendlyName}, 'totp', 'unverified',
        ${secrets.encrypt(totp.secret, id)}, ${now}, ${now})`;
  });
  return c.json({ id, type: "totp", friendly_name: friendlyName, totp });
}

const switchedOff = {
  phone: ["mfa_phone_enroll_not_enabled", "MFA enroll is disabled for Phone"],
  totp: ["mfa_totp_enroll_not_enabled", "MFA enroll is disabled for TOTP"],
  webauthn: ["mfa_webauthn_enroll_not_enabled", "MFA enroll is disabled for WebAuthn"],
} as const;

function requireType({ totpEnrolEnabled }: AuthSettings, type: string | null | undefined): void {
  if (type !== "totp" && type !== "phone" && type !== "webauthn") {
    throw validationFailed("factor_type needs to be totp, phone, or webauthn");
  }
  if (type !== "totp" || !totpEnrolEnabled) {
    const [code, message] = switchedOff[type];
    throw new AuthError(422, code, message);
  }
}

/** POST /factors/:id/challenge: returns {id, type, expires_at}. */
export async function challenge(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { user } = await requireSignedIn(context, c);
  await context.limits.take("factorChallenge", user.id);
  const id = crypto.randomUUID();
  const now = new Date(context.now());
  await context.db.begin(async (tx) => {
    const factor = await ownFactor(tx, user.id, c.req.param("id") ?? "");
    requireVerifyEnabled(context);
    await tx`
      delete from auth.mfa_challenges
      where factor_id = ${factor.id} and created_at < ${new Date(context.now() - keptSeconds * 1000)}`;
    await tx`
      insert into auth.mfa_challenges (id, factor_id, created_at, ip_address)
      values (${id}, ${factor.id}, ${now}, ${clientIp(c) ?? "::"})`;
    await tx`update auth.mfa_factors set last_challenged_at = ${now} where id = ${factor.id}`;
  });
  const expiresAt = Math.floor(context.now() / 1000) + challengeSeconds;
  return c.json({ id, type: "totp", expires_at: expiresAt });
}

export function requireVerifyEnabled({ settings }: AuthContext): void {
  if (!settings.totpVerifyEnabled) {
    throw new AuthError(
      422,
      "mfa_totp_verify_not_enabled",
      "MFA verification is disabled for TOTP",
    );
  }
}

/** DELETE /factors/:id: returns {id}. The factor's sessions go back to aal1. */
export async function unenrol(context: AuthContext, c: AuthRequest): Promise<Response> {
  const signedIn = await requireSignedIn(context, c);
  const { user, session } = signedIn;
  const id = await context.db.begin(async (tx) => {
    await lockUser(tx, user.id);
    const factor = await ownFactor(tx, user.id, c.req.param("id") ?? "");
    if (factor.status === "verified") {
      if (session.aal === "aal1") {
        throw new AuthError(422, "insufficient_aal", "AAL2 required to unenroll verified factor");
      }
      requireRecent(context, signedIn);
    }
    await tx`delete from auth.mfa_factors where id = ${factor.id}`;
    await tx`
      delete from auth.mfa_amr_claims
      where authentication_method = 'totp'
        and session_id in (select id from auth.sessions where factor_id = ${factor.id})`;
    await tx`
      update auth.sessions set aal = 'aal1', factor_id = null
      where user_id = ${user.id} and factor_id = ${factor.id}`;
    return factor.id;
  });
  context.log.info("A second factor was removed", { account: user.id });
  return c.json({ id });
}
