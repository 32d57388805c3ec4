import { createRequestHandler, RouterContextProvider } from "react-router";
import { setToastCookieOptions } from "remix-toast";
import * as build from "virtual:react-router/server-build";
import { type Site, siteContext, visitorContext } from "./context.ts";
import { cookieNames } from "./cookies.ts";

/**
 * The pages, as one function from request to response. The Node server around it
 * (server.ts) is not part of this bundle and hands in all that the pages need.
 */
export function createSite(site: Site): (request: Request, address: string) => Promise<Response> {
  setToastCookieOptions({
    name: cookieNames(site.secure).notice,
    secrets: [site.backend.cookieSecret],
    secure: site.secure,
    maxAge: 60,
  });
  // Where a form comes from was decided before (http/origin.ts), by all of the site's names.
  const allowedActionOrigins = ["**"];
  const handle = createRequestHandler({ ...build, allowedActionOrigins }, import.meta.env.MODE);

  return (request, address) => {
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(visitorContext, { address });
    return handle(request, context);
  };
}
