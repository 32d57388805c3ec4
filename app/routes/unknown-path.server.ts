import { data, type MiddlewareFunction, redirect } from "react-router";
import { limitReached, log } from "#app/lib/log.server.ts";

const maxLogged = 200;
const minuteMs = 60_000;
/** How many more paths may be logged now: sixty in a minute, so that a flood does not fill the log. */
let remaining = 60;

/** The start of the query in a broken link. It may hold a token or search words. */
const brokenQuery = /%(?:25)*(?:26|3[bdf])|[&;=]/i;

/** Logs an unknown path, or the count of those above sixty in a minute, and returns a 404. */
export function unknownPath({ pathname }: URL) {
  if (remaining > 0) {
    remaining -= 1;
    setTimeout(() => {
      remaining += 1;
    }, minuteMs).unref();
    // The encoding of percent signs is undone, so that the path is logged as it was asked for.
    const asked = pathname.replaceAll("%25", "%").slice(0, maxLogged);
    const [path = ""] = asked.split(brokenQuery, 1);
    log.info("404: no page", { path });
  } else {
    limitReached("unknownPaths");
  }
  return data(null, { status: 404 });
}

/** Redirects a path with slashes at its end, which React Router ignores, to the path without. */
export const requireExactPath: MiddlewareFunction<Response> = ({ url }, next) => {
  const exact = url.pathname.replace(/\/+$/, "");
  if (exact === url.pathname || url.pathname === "/") {
    return next();
  }
  // `//host` would be another site.
  throw exact === "" || /^\/\/|%/.test(exact)
    ? unknownPath(url)
    : redirect(exact + url.search, 308);
};
