import type { JwtPayload } from "@supabase/supabase-js";
import { createContext } from "react-router";
import { getSupabase, isSessionUnknown } from "./clients.server.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { readCookies, readSession } from "./session-cookie.server.ts";
import { type RouterContext, siteContext } from "./site-context.server.ts";

/** The access token in the request's cookie, unverified. */
export async function tokenOfCookie(
  request: Request,
  context: RouterContext,
): Promise<string | undefined> {
  const { session } = cookieNames(context.get(siteContext).secure);
  const header = request.headers.get("Cookie");
  if (!header?.includes(session)) {
    return undefined;
  }
  return (await readSession(session, readCookies(header)))?.access_token;
}

/**
 * The claims of a session whose signature is valid, refreshed if needed; expired claims if the
 * service does not answer. For display only: `requireAccount` guards routes.
 */
export function getClaims(
  request: Request,
  context: RouterContext,
): Promise<JwtPayload | undefined> {
  const asked = context.get(claimsContext) ?? readClaims(request, context);
  context.set(claimsContext, asked);
  return asked;
}

/** Those of the request: its loaders run side by side, and each would fetch the keys of tokens. */
const claimsContext = createContext<Promise<JwtPayload | undefined> | null>(null);

async function readClaims(
  request: Request,
  context: RouterContext,
): Promise<JwtPayload | undefined> {
  const token = await tokenOfCookie(request, context);
  if (token === undefined) {
    return undefined;
  }
  const known = verified.get(token);
  if (known && known.exp > Date.now() / 1000) {
    return known;
  }
  const { auth } = getSupabase(context);
  // For a forged signature the client throws or returns an error.
  const { data: checked } = await auth.getClaims(token).catch(() => ({ data: null }));
  if (checked) {
    return remember(token, checked.claims);
  }
  const { data: refreshed } = await auth.getClaims().catch(() => ({ data: null }));
  if (refreshed || !isSessionUnknown(context)) {
    return refreshed?.claims;
  }
  return expiredClaims(context, token);
}

/** The claims of a new token of the session; undefined if the session has ended or there was no answer. */
export async function renewedClaims(context: RouterContext): Promise<JwtPayload | undefined> {
  const { auth } = getSupabase(context);
  const { data: renewed } = await auth.refreshSession();
  const { data: checked } = await auth
    .getClaims(renewed.session?.access_token)
    .catch(() => ({ data: null }));
  return renewed.session ? checked?.claims : undefined;
}

/** The claims of a token that may have expired; undefined if its signature is wrong. */
export async function expiredClaims(
  context: RouterContext,
  token: string,
): Promise<JwtPayload | undefined> {
  const { data } = await getSupabase(context)
    .auth.getClaims(token, { allowExpired: true })
    .catch(() => ({ data: null }));
  return data?.claims;
}

// The claims of checked tokens, of about a kilobyte each: a check costs half a render.
const verified = new Map<string, JwtPayload>();
const verifiedLimit = 500;

function remember(token: string, claims: JwtPayload): JwtPayload {
  if (verified.size === verifiedLimit) {
    verified.clear();
  }
  verified.set(token, claims);
  return claims;
}
