import { href, type RouterContextProvider } from "react-router";
import { safePath, withNext } from "#app/lib/safe-path.ts";
import { siteContext } from "#app/session/site-context.server.ts";

/** The path in `?next=`; undefined if there is none, or none of this site. */
export function nextOf(url: URL, context: Readonly<RouterContextProvider>): string | undefined {
  return safePath(url.searchParams.get("next"), context.get(siteContext).url.origin);
}

/**
 * Where a new session leads: to `target`. A browser that brought no cookie may keep none, so it goes
 * by way of /auth, which sends on who has a session and tells the others what is wrong.
 */
export function withCookieCheck(target: string, { headers }: Request): string {
  return headers.has("Cookie") ? target : `${withNext(href("/auth"), target)}&signed-in`;
}
