import { href, type MiddlewareFunction, redirectDocument } from "react-router";
import { withNext } from "#app/lib/safe-path.ts";
import { expiredClaims } from "./claims.server.ts";
import { signOut } from "./clients.server.ts";
import { cookieNames } from "./cookie-names.server.ts";
import { documentWithToast } from "./redirects.server.ts";
import { type RouterContext, siteContext } from "./site-context.server.ts";

type GuardArgs = Parameters<MiddlewareFunction<Response>>[0];

/**
 * Redirects a request without a valid session to /auth; with `next` and a toast if a session has
 * ended or a form was sent. @param token the access token of its cookie
 */
export async function toSignIn(args: GuardArgs, token: string | undefined): Promise<Response> {
  const { context, request, url } = args;
  // An open board connects its socket by itself. Its page learns that the session has ended when it reads again.
  if (url.pathname === href("/admin/live")) {
    return new Response(null, { status: 401 });
  }
  // A script that reads its page again is sent to the page itself. A toast here would replace that of a sign-out
  // which is under way.
  if (request.method === "GET" && new URL(request.url).pathname.endsWith(".data")) {
    return redirectDocument(pathOf(args));
  }
  const hasEnded = token === undefined ? wasOpen(args) : await endSession(context, token);
  if (request.method === "POST" || hasEnded) {
    return documentWithToast(withNext(href("/auth"), pathOf(args)), {
      type: "info",
      message: "انتهت جلستك، سجّل الدخول من جديد.",
    });
  }
  // A claim link's code and a list's URL are kept in `next`.
  const isBoard = url.pathname === href("/admin") && url.search !== "";
  const keepsPlace = isBoard || url.pathname === href("/admin/claim");
  return redirectDocument(keepsPlace ? withNext(href("/auth"), pathOf(args)) : href("/auth"));
}

/** The path of a guarded request, for `next`. */
export const pathOf = ({ url }: GuardArgs): string => url.pathname + url.search;

/** Whether the request comes from a page of an account, without its cookies. False if a toast waits already. */
function wasOpen({ request: { method, headers }, url, context }: GuardArgs): boolean {
  const { url: siteUrl, secure } = context.get(siteContext);
  const from = URL.parse(headers.get("Referer") ?? "");
  const isOwn =
    (from?.origin === siteUrl.origin || from?.origin === url.origin) &&
    /^\/(admin|account)\b/.test(from.pathname);
  const hasToast = headers.get("Cookie")?.includes(cookieNames(secure).toast) ?? false;
  return method === "GET" && isOwn && !hasToast;
}

/** Removes the session of an invalid token. False if this site did not sign the token. */
async function endSession(context: RouterContext, token: string): Promise<boolean> {
  const ended = await expiredClaims(context, token);
  await signOut(context);
  return ended !== undefined;
}
