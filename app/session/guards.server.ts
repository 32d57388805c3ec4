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
import { noteAgain } from "#app/lib/form-errors.ts";
import { withNext } from "#app/lib/safe-path.ts";
import { type Account, accountOf, codeIsDue } from "#app/models/account.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { wasSignedOut } from "./recent-sign-outs.server.ts";
import { readCookies, readSession } from "./session-cookie.server.ts";
import { refusedContext, siteContext } from "./site-context.server.ts";
import { getSupabase, isSessionUnknown, signOut } from "./supabase.server.ts";

type Context = Readonly<RouterContextProvider>;
type GuardArgs = Parameters<MiddlewareFunction<Response>>[0];

const accountContext = createContext<Account>();

/**
 * Admits accounts that are signed in, with their second factor if they have one; redirects others
 * to /auth or /auth/code. It asks the authentication service, because a session may have ended
 * elsewhere.
 */
export const requireAccount: MiddlewareFunction<Response> = async (args, next) => {
  const account = await openAccount(args);
  if (codeIsDue(account)) {
    await keepForm(args, 401, notSaved.codeDue);
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
  const account = await readAccount(args);
  if (!account) {
    throw await toSignIn(args, token);
  }
  context.set(accountContext, account);
  return account;
}

async function readAccount(args: GuardArgs): Promise<Account | undefined> {
  const { request, context } = args;
  const { data: known, error } = await getSupabase(context).auth.getUser();
  // These say nothing about the session.
  const { status = 0 } = error ?? {};
  const isAway =
    isSessionUnknown(context) ||
    (error && (isAuthRetryableFetchError(error) || status === 429 || status >= 500));
  if (!known.user && !isAway) {
    return undefined;
  }
  // Its factors are unknown then. The database checks them itself.
  const claims = await getClaims(request, context);
  if (isAway && !claims) {
    await keepForm(args, 503, notSaved.unknown);
    throw data(null, { status: 503, statusText: "Service Unavailable" });
  }
  return claims && accountOf(claims, known.user);
}

/** The redirect to /auth; with the way back and a notice if a session has ended, or a form is lost. */
async function toSignIn(args: GuardArgs, token: string | undefined): Promise<Response> {
  const { context, url } = args;
  const isForm = await keepForm(args, 401, notSaved.ended);
  const hasEnded = token !== undefined && (await endSession(context, token));
  if (isForm || hasEnded) {
    return redirectWithToast(withNext(href("/auth"), pathOf(args)), {
      type: "info",
      message: "انتهت جلستك، سجّل الدخول من جديد.",
    });
  }
  // The code of a link, or the list that another tab had open, must not be lost.
  const isBoard = url.pathname === href("/admin") && url.search !== "";
  const keepsPlace = isBoard || url.pathname === href("/admin/claim");
  return redirect(keepsPlace ? withNext(href("/auth"), pathOf(args)) : href("/auth"));
}

/** Whether somebody sent a form, of which a typed note then has a page (site.ts). */
async function keepForm(
  { request, context }: GuardArgs,
  status: number,
  reason: string,
): Promise<boolean> {
  const form = request.method === "POST" ? await request.clone().formData() : undefined;
  if (form?.get("note")) {
    context.set(refusedContext, { status, reason, again: noteAgain(form) });
  }
  // Open boards tell by themselves what was seen.
  return form !== undefined && !form.has("seen");
}

const notSaved = {
  ended:
    "لم تُحفظ الملاحظة لأن جلستك انتهت. سجّل الدخول في صفحة جديدة، ثم ارجع إلى هذه الصفحة واحفظها.",
  codeDue:
    "لم تُحفظ الملاحظة لأن دخولك ينتظر رمز التحقق. أكمله في صفحة جديدة، ثم ارجع إلى هذه الصفحة واحفظها.",
  unknown:
    "لم تُحفظ الملاحظة لأن الموقع لم يستطع التحقق من جلستك بسبب عطل مؤقت. احفظها من جديد بعد قليل.",
};

/** Ends the session of a dead token here too; whether it was one, and not signed out just now. */
async function endSession(context: Context, token: string): Promise<boolean> {
  const { data: ended } = await getSupabase(context)
    .auth.getClaims(token, { allowExpired: true })
    .catch(() => ({ data: null }));
  await signOut(context);
  return ended !== null && !wasSignedOut(ended.claims.session_id);
}

const pathOf = ({ url }: GuardArgs) => url.pathname + url.search;

async function tokenOfCookie(request: Request, context: Context): Promise<string | undefined> {
  const { session } = cookieNames(context.get(siteContext).secure);
  const header = request.headers.get("Cookie");
  if (!header?.includes(session)) {
    return undefined;
  }
  return (await readSession(session, readCookies(header)))?.access_token;
}

export function getAccount(context: Context): Account {
  return context.get(accountContext);
}

/**
 * The claims of a genuine session, refreshed if need be; expired ones if the service does not say
 * whether it is over. For what is shown; `requireAccount` decides who is admitted.
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
  // The client throws or returns the error of a forged signature.
  const { data: checked } = await auth.getClaims(token).catch(() => ({ data: null }));
  if (checked) {
    return remember(token, checked.claims);
  }
  const { data: refreshed } = await auth.getClaims().catch(() => ({ data: null }));
  if (refreshed || !isSessionUnknown(context)) {
    return refreshed?.claims;
  }
  const { data: expired } = await auth
    .getClaims(token, { allowExpired: true })
    .catch(() => ({ data: null }));
  return expired?.claims;
}

// Checked tokens: a check costs half a render.
const verified = new Map<string, JwtPayload>();
const verifiedLimit = 1000;

function remember(token: string, claims: JwtPayload): JwtPayload {
  if (verified.size === verifiedLimit) {
    verified.clear();
  }
  verified.set(token, claims);
  return claims;
}
