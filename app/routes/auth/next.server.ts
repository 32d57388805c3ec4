import { href } from "react-router";
import { safePath, withLetters, withNext } from "#app/lib/safe-path.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

/** The path in `?next=` or `?packed=`; undefined if it is missing or not a path of this site. */
export function nextOf({ searchParams }: URL, context: RouterContext): string | undefined {
  const packed = searchParams.get("packed");
  const next =
    packed === null ? searchParams.get("next") : Buffer.from(packed, "base64url").toString();
  return safePath(next, context.get(siteContext).url.origin);
}

// Its answer also brings the session, a proof of the device and a toast.
const longestOfSession = 450;

/**
 * The same for an answer with a new session. /auth redirects on to a long one, because a letter
 * that takes six bytes in a path takes three in base64. Without its query if even that is too long.
 */
export function nextOfSession(...args: Parameters<typeof nextOf>): string | undefined {
  const next = nextOf(...args);
  if (!next || next.length <= longestOfSession) {
    return next;
  }
  const packed = Buffer.from(withLetters(next)).toString("base64url");
  const path = `${href("/auth")}?signed-in&packed=${packed}`;
  return path.length <= longestOfSession ? path : next.split(/[?#]/)[0];
}

/**
 * The redirect target after a sign-in. A browser without any cookie may block them, so it first goes
 * to /auth, which redirects to `target` if the session arrived and else explains the problem.
 */
export function withCookieCheck(target: string, { headers }: Request): string {
  return headers.has("Cookie") ? target : withNext(`${href("/auth")}?signed-in`, target);
}
