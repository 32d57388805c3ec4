import { data, type MiddlewareFunction } from "react-router";
import { log } from "#app/lib/log.server.ts";

const maxLogged = 200;

/** Logs an unknown path and returns a 404. */
export function unknownPath(url: URL) {
  log.info("404: no page", { path: url.pathname.slice(0, maxLogged) });
  return data(null, { status: 404 });
}

/** Refuses trailing slashes, which React Router ignores. */
export const requireExactPath: MiddlewareFunction<Response> = ({ url }, next) => {
  if (/.\/$/.test(url.pathname)) {
    throw unknownPath(url);
  }
  return next();
};
