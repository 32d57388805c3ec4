import { isAuthRetryableFetchError, type JwtPayload } from "@supabase/supabase-js";
import {
  createContext,
  data,
  href,
  type MiddlewareFunction,
  redirect,
  type RouterContextProvider,
} from "react-router";
import { redirectWithToast } from "remix-toast";
import { siteContext } from "./site-context.server.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { wasSignedOut } from "./recent-sign-outs.server.ts";
import { withNext } from "#app/lib/safe-path.ts";
import { readCookies, readSession } from "./session-cookie.server.ts";
import { type Account, accountOf, codeIsDue } from "#app/models/account.ts";
import { getSupabase } from "./supabase.server.ts";

type Context = Readonly<RouterContextProvider>;
type GuardArgs = Parameters<MiddlewareFunction<Response>>[0];

const accountContext = createContext<Account>();

/**
 * Lets only signed-in accounts through that have used their second factor, if they have
 * one; others are sent to /auth or to the code step. It asks the authentication service,
 * not just the token, so that a session ended elsewhere ends here.
 */
export const requireAccount: MiddlewareFunction<Response> = async (args, next) => {
  const account = await openAccount(args);
  if (codeIsDue(account)) {
    throw redirect(withNext(href("/auth/code"), pathOf(args)));
  }
  return next();
};

/** The same for the code step itself: the password alone is enough. */
export const requireSession: MiddlewareFunction<Response> = async (args, next) => {
  await openAccount(args);
  return next();
};

async function openAccount(args: GuardArgs): Promise<Account> {
  const { request, context } = args;
  const token = await tokenOfCookie(request, context);
  const account = await readAccount(request, context);
  if (!account) {
    throw await toSignIn(args, token);
  }
  context.set(accountContext, account);
  return account;
}

async function readAccount(request: Request, context: Context): Promise<Account | undefined> {
  const { data: known, error } = await getSupabase(context).auth.getUser();
  // An answer that says nothing about the session must not look like the end of it.
  const { status = 0 } = error ?? {};
  const isAway = error && (isAuthRetryableFetchError(error) || status === 429 || status >= 500);
  if (!known.user && !isAway) {
    return undefined;
  }
  // Without an answer its factors are not known here; the database asks for them itself.
  const claims = await getClaims(request, context);
  if (isAway && !claims) {
    throw data(null, { status: 503, statusText: "Service Unavailable" });
  }
  return claims && accountOf(claims, known.user);
}

/**
 * Where those go who may not pass. Whoever had a session that is over hears so and comes
 * back afterwards; an unreadable cookie or a forged token is no session and never was one.
 */
async function toSignIn(args: GuardArgs, token: string | undefined): Promise<Response> {
  if (token === undefined) {
    // The link that claims the inbox brings a code, which must not be lost.
    const isClaim = args.url.pathname === href("/admin/claim");
    return redirect(isClaim ? withNext(href("/auth"), pathOf(args)) : href("/auth"));
  }
  const { auth } = getSupabase(args.context);
  const { data: ended } = await auth
    .getClaims(token, { allowExpired: true })
    .catch(() => ({ data: null }));
  // Takes away the stale cookies, whatever the service says about the session.
  await auth.signOut({ scope: "local" });
  if (!ended || wasSignedOut(ended.claims.session_id)) {
    return redirect(href("/auth"));
  }
  return redirectWithToast(withNext(href("/auth"), pathOf(args)), {
    type: "info",
    message: "انتهت جلستك، سجّل الدخول من جديد.",
  });
}

const pathOf = ({ url }: GuardArgs) => url.pathname + url.search;

/** The access token that the visitor brought, before anything is done with it. */
async function tokenOfCookie(request: Request, context: Context): Promise<string | undefined> {
  const { session } = cookieNames(context.get(siteContext).secure);
  const header = request.headers.get("Cookie");
  if (!header?.includes(session)) {
    return undefined;
  }
  return (await readSession(session, readCookies(header)))?.access_token;
}

/** The account that the guard let through. */
export function getAccount(context: Context): Account {
  return context.get(accountContext);
}

/**
 * The claims of the visitor's session, if it is genuine and unexpired (refreshed if need
 * be). Good for deciding what to show; `requireAccount` decides what to give.
 */
export async function getClaims(
  request: Request,
  context: Context,
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
  // A forged signature is an error of the client's, thrown or returned: no session, either way.
  const { data: checked } = await auth.getClaims(token).catch(() => ({ data: null }));
  if (checked) {
    return remember(token, checked.claims);
  }
  const refreshed = await auth.getClaims().catch(() => ({ data: null }));
  return refreshed.data?.claims;
}

// Tokens whose signature was checked: a token never changes, and a check costs half a render.
const verified = new Map<string, JwtPayload>();
const verifiedLimit = 1000;

function remember(token: string, claims: JwtPayload): JwtPayload {
  if (verified.size === verifiedLimit) {
    verified.clear();
  }
  verified.set(token, claims);
  return claims;
}
