import { redeem } from "#embedded/auth/confirmations.ts";
import type { AuthContext, AuthRequest } from "#embedded/auth/context.ts";
import { AuthError, validationFailed } from "#embedded/auth/errors.ts";
import { findByLink } from "#embedded/auth/one-time-tokens.ts";
import { issueAuthCode } from "#embedded/auth/pkce.ts";
import { type AuthMethod, createSession } from "#embedded/auth/sessions.ts";
import { halfConfirmed, linkExpired, tokenTypes } from "./verify.ts";

/** GET /verify. The site's mails lead to a page with a button instead: mail scanners open links. */
export async function verifyLink(context: AuthContext, c: AuthRequest): Promise<Response> {
  const { token, type, redirect_to: requested } = c.req.query();
  if (!type) {
    throw validationFailed("Verify requires a verification type");
  }
  if (!token) {
    throw validationFailed("Verify requires a token or a token hash");
  }
  const target = new URL(context.allowedRedirect(requested));
  const isPkce = token.startsWith("pkce_");
  try {
    await redeemLink(context, c, { token, type, isPkce, target });
  } catch (error) {
    if (!(error instanceof AuthError)) {
      throw error;
    }
    const fields = {
      error: error.status === 403 ? "access_denied" : "invalid_request",
      error_code: error.code,
      error_description: error.message,
    };
    if (isPkce) {
      setQuery(target, fields);
    }
    target.hash = new URLSearchParams({ ...fields, sb: "" }).toString();
  }
  return c.redirect(target.href, 303);
}

async function redeemLink(
  context: AuthContext,
  c: AuthRequest,
  link: { token: string; type: string; isPkce: boolean; target: URL },
): Promise<void> {
  const { target } = link;
  await context.db.begin(async (tx) => {
    const found = await findByLink(tx, context, link.token, tokenTypes(link.type));
    if (!found) {
      throw linkExpired();
    }
    const user = await redeem(tx, context, found, false);
    if (!user) {
      if (link.isPkce) {
        setQuery(target, { message: halfConfirmed });
      }
      target.hash = new URLSearchParams({ message: halfConfirmed, sb: "" }).toString();
    } else if (link.isPkce) {
      const code = await issueAuthCode(tx, context, user.id, methodOf(link.type));
      if (!code) {
        throw new AuthError(422, "flow_state_not_found", "No valid flow state found for user.");
      }
      setQuery(target, { code });
    } else {
      const { user: _user, ...session } = await createSession(tx, context, c, user, "otp");
      const fields = Object.entries({ ...session, type: link.type, sb: "" });
      target.hash = new URLSearchParams(
        fields.map(([name, value]): [string, string] => [name, String(value)]),
      ).toString();
    }
  });
}

function methodOf(type: string): AuthMethod {
  return type === "signup" ? "email/signup" : (type as AuthMethod);
}

function setQuery(url: URL, fields: Record<string, string>): void {
  for (const [name, value] of Object.entries(fields)) {
    url.searchParams.set(name, value);
  }
}
