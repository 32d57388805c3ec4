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
 * Admits signed-in accounts, with their second factor if they have one. Redirects others to /auth or
 * /auth/code. Asks the authentication service, because a session may have been ended elsewhere.
 */
export const requireAccount: MiddlewareFunction<Response> = async (args, next) => {
  const account = await openAccount(args);
  if (codeIsDue(account)) {
    await keepForm(args, 401, notSaved.codeDue);
    throw redirect(withNext(href("/auth/code"), pathOf(args)));
  }
  return next();
};

/** Same as requireAccount without the second factor, for the code page. */
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
  // These errors do not mean that the session has ended.
  const { status = 0 } = error ?? {};
  const isAway =
    isSessionUnknown(context) ||
    (error && (isAuthRetryableFetchError(error) || status === 429 || status >= 500));
  if (!known.user && !isAway) {
    return undefined;
  }
  // If the service did not answer, the factors are unknown. The database checks them itself.
  const claims = await getClaims(request, context);
  if (isAway && !claims) {
    await keepForm(args, 503, notSaved.unknown);
    throw data(null, { status: 503, statusText: "Service Unavailable" });
  }
  return claims && accountOf(claims, known.user);
}

/** Redirects to /auth; with `next` and a notice if a session has ended or a form was sent. */
async function toSignIn(args: GuardArgs, token: string | undefined): Promise<Response> {
  const { context, url } = args;
  const isForm = await keepForm(args, 401, notSaved.ended);
  const hasEnded = token === undefined ? wasOpen(args) : await endSession(context, token);
  if (isForm || hasEnded) {
    return redirectWithToast(withNext(href("/auth"), pathOf(args)), {
      type: "info",
      message: "انتهت جلستك، سجّل الدخول من جديد.",
    });
  }
  // A claim link's code and a list's URL are kept in `next`.
  const isBoard = url.pathname === href("/admin") && url.search !== "";
  const keepsPlace = isBoard || url.pathname === href("/admin/claim");
  return redirect(keepsPlace ? withNext(href("/auth"), pathOf(args)) : href("/auth"));
}

/** Whether a page of the account asks whose cookies are gone. It replaces no other notice. */
function wasOpen({ request: { method, headers }, context }: GuardArgs): boolean {
  const { url, secure } = context.get(siteContext);
  const from = URL.parse(headers.get("Referer") ?? "");
  const isOwn = from?.origin === url.origin && /^\/(admin|account)\b/.test(from.pathname);
  const hasNotice = headers.get("Cookie")?.includes(cookieNames(secure).notice) ?? false;
  return method === "GET" && isOwn && !hasNotice;
}

/** Whether the request is a form. A typed note in it is then shown on a page of its own (site.ts). */
async function keepForm(
  { request, context }: GuardArgs,
  status: number,
  reason: string,
): Promise<boolean> {
  const form = request.method === "POST" ? await request.clone().formData() : undefined;
  if (form?.get("note")) {
    context.set(refusedContext, { status, reason, again: noteAgain(form) });
  }
  // Open boards report seen messages by themselves.
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

/** Removes the session of an invalid token. False if it ended by a sign-out just now. */
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
 * The claims of a session whose signature is valid, refreshed if needed; expired claims if the
 * service does not answer. For display only: `requireAccount` guards routes.
 */
export async function getClaims(
  request: Request,
  context: Context,
): Promise<JwtPayload | undefined> {
  const cookies = request.headers.get("Cookie") ?? "";
  const known = verified.get(cookies);
  if (known && known.exp > Date.now() / 1000) {
    return known;
  }
  const token = await tokenOfCookie(request, context);
  if (token === undefined) {
    return undefined;
  }
  const { auth } = getSupabase(context);
  // For a forged signature the client throws or returns an error.
  const { data: checked } = await auth.getClaims(token).catch(() => ({ data: null }));
  if (checked) {
    return remember(cookies, checked.claims);
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

// The claims of checked Cookie headers, of at most 16 kB each: a check costs half a render.
const verified = new Map<string, JwtPayload>();
const verifiedLimit = 500;

function remember(cookies: string, claims: JwtPayload): JwtPayload {
  if (verified.size === verifiedLimit) {
    verified.clear();
  }
  verified.set(cookies, claims);
  return claims;
}
