import { data, type MiddlewareFunction } from "react-router";
import { log } from "#app/lib/log.server.ts";

const maxLogged = 200;

/** Logs a path that is no page, and answers 404. */
export function unknownPath(url: URL) {
  log.info("404: no page", { path: url.pathname.slice(0, maxLogged) });
  return data(null, { status: 404 });
}

/** React Router ignores slashes at the end of a path; the site has no page there. */
export const requireExactPath: MiddlewareFunction<Response> = ({ url }, next) => {
  if (/.\/$/.test(url.pathname)) {
    throw unknownPath(url);
  }
  return next();
};
