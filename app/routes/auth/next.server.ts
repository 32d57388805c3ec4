import type { RouterContextProvider } from "react-router";
import { siteContext } from "#app/session/site-context.server.ts";
import { safePath } from "#app/lib/safe-path.ts";

/** Where to go afterwards, as `?next=` says it; undefined if it says nothing usable. */
export function nextOf(url: URL, context: Readonly<RouterContextProvider>): string | undefined {
  return safePath(url.searchParams.get("next"), context.get(siteContext).url.origin);
}
