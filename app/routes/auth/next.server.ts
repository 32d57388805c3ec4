import { href } from "react-router";
import { safePath, withNext } from "#app/lib/safe-path.ts";
import { type RouterContext, siteContext } from "#app/session/site-context.server.ts";

/** The path in `?next=`; undefined if it is missing or not a path of this site. */
export function nextOf({ searchParams }: URL, context: RouterContext): string | undefined {
  return safePath(searchParams.get("next"), context.get(siteContext).url.origin);
}

/**
 * The redirect target after a sign-in. A browser without any cookie may block them, so it first goes
 * to /auth, which redirects to `target` if the session arrived, and otherwise explains the problem.
 */
export function withCookieCheck(target: string, { headers }: Request): string {
  return headers.has("Cookie") ? target : withNext(`${href("/auth")}?signed-in`, target);
}
