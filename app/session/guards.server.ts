import { isAuthRetryableFetchError } from "@supabase/supabase-js";
import { createContext, data, href, type MiddlewareFunction, redirect } from "react-router";
import { withNext } from "#app/lib/safe-path.ts";
import { type Account, accountOf, codeIsDue } from "#app/models/account/current-account.ts";
import { getClaims, renewedClaims, tokenOfCookie } from "./claims.server.ts";
import { getSupabase, isSessionUnknown } from "./clients.server.ts";
import { refuseForm, typedIn } from "./refused-form.server.ts";
import type { RouterContext } from "./site-context.server.ts";
import { pathOf, toSignIn } from "./to-sign-in.server.ts";

type GuardArgs = Parameters<MiddlewareFunction<Response>>[0];

const accountContext = createContext<Promise<Account>>();

/**
 * Admits signed-in accounts, with their second factor if they have one. Redirects others to /auth or
 * /auth/code. Asks the authentication service, because a session may have been ended elsewhere.
 */
export const requireAccount: MiddlewareFunction<Response> = (args, next) =>
  guard(args, next, admitAccount);

/** Same as requireAccount without the second factor, for the code page. */
export const requireSession: MiddlewareFunction<Response> = (args, next) =>
  guard(args, next, openAccount);

/**
 * The account that a guard admits. Rejects with the guard's refusal. A loader awaits it before it changes or
 * returns anything of an account.
 */
export function getAccount(context: RouterContext): Promise<Account> {
  return context.get(accountContext);
}

/**
 * Runs a page's loaders while the account is asked for: the database shows them no row of a session that has ended
 * or owes a code. A refusal comes before whatever they return or throw. A form waits for it, and so does a
 * request whose token this site did not sign.
 */
async function guard(
  args: GuardArgs,
  next: Parameters<MiddlewareFunction<Response>>[1],
  admit: (args: GuardArgs) => Promise<Account>,
): Promise<Response> {
  const { request, context } = args;
  // Renewed here, once for both.
  const claims = await getClaims(request, context);
  const admitted = admit(args);
  context.set(accountContext, admitted);
  if (!claims || !["GET", "HEAD"].includes(request.method)) {
    await admitted;
    return next();
  }
  const [, loaded] = await Promise.allSettled([admitted, next()]);
  await admitted;
  if (loaded.status === "rejected") {
    throw loaded.reason;
  }
  return loaded.value;
}

async function admitAccount(args: GuardArgs): Promise<Account> {
  const account = await openAccount(args);
  if (codeIsDue(account)) {
    keepFromRedirect(args, "code");
    throw redirect(withNext(href("/auth/code"), pathOf(args)));
  }
  return account;
}

async function openAccount(args: GuardArgs): Promise<Account> {
  const { request, context } = args;
  const token = await tokenOfCookie(request, context);
  const account = await readAccount(args);
  if (!account) {
    keepFromRedirect(args, "ended");
    throw await toSignIn(args, token);
  }
  return account;
}

async function readAccount({ request, context }: GuardArgs): Promise<Account | undefined> {
  const [{ data: known, error }, claims] = await Promise.all([
    getSupabase(context).auth.getUser(),
    currentClaims(request, context),
  ]);
  // These errors do not mean that the session has ended.
  const { status = 0 } = error ?? {};
  const isAway =
    isSessionUnknown(context) ||
    (error && (isAuthRetryableFetchError(error) || status === 429 || status >= 500));
  if (!known.user && !isAway) {
    return undefined;
  }
  // If the service did not answer, the factors are unknown. The database checks them itself.
  if (isAway && !claims) {
    keepTyped(context, 503, notSaved.unknown);
    throw data(null, { status: 503, statusText: "Service Unavailable" });
  }
  return claims && accountOf(claims, known.user);
}

/**
 * The claims, renewed if they have the second factor and the session has lost it: another session may have
 * removed the app. If the database does not answer, it reads nothing for a session either.
 */
async function currentClaims(request: Request, context: RouterContext) {
  const claims = await getClaims(request, context);
  if (claims?.aal !== "aal2") {
    return claims;
  }
  const { data: isSignedIn } = await getSupabase(context).rpc("is_signed_in");
  return isSignedIn === false ? renewedClaims(context) : claims;
}

/**
 * Keeps what was typed, which a redirect would take away with its page. A form of a script is refused with the
 * reason, and `keepForm` shows it on the page that is open.
 */
function keepFromRedirect({ request, context }: GuardArgs, reason: "ended" | "code"): void {
  if (request.method === "POST" && new URL(request.url).pathname.endsWith(".data")) {
    throw data(reason, { status: 401 });
  }
  keepTyped(context, 401, notSaved[reason]);
}

/** Shows a typed text on a page of its own, which the response would lose. */
function keepTyped(context: RouterContext, status: number, reason: string): void {
  if (Object.keys(typedIn(context)).length > 0) {
    refuseForm(context, status, reason);
  }
}

const notSaved = {
  ended: "لم يُحفظ ما كتبته لأن جلستك انتهت. سجّل الدخول في صفحة جديدة، ثم ارجع إلى هذه الصفحة.",
  code: "لم يُحفظ ما كتبته لأن دخولك ينتظر رمز التحقق. أكمله في صفحة جديدة، ثم ارجع إلى هذه الصفحة.",
  unknown:
    "لم يُحفظ ما كتبته لأن الموقع لم يستطع التحقق من جلستك بسبب عطل مؤقت. أعد المحاولة بعد قليل.",
};
