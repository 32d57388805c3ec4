import { createRequestHandler, RouterContextProvider } from "react-router";
import { setToastCookieOptions } from "remix-toast";
import * as build from "virtual:react-router/server-build";
import type { Handle } from "./components/handle.ts";
import { acceptsPage } from "./lib/accepts-page.ts";
import { cookieNames } from "./session/cookie-names.server.ts";
import { refusedFormContext, refuseForm } from "./session/refused-form.server.ts";
import { siteContext, type Visitor, visitorContext } from "./session/site-context.server.ts";
import type { Sender, Site } from "./site-contract.server.ts";

type Asker = Sender & Pick<Visitor, "admit"> & { form?: string };

interface Refused extends Sender {
  path: string;
  /** The site's, at the address that was used. */
  origin: string;
  form: string;
  /** The Accept header. */
  accept: string | undefined;
}

export interface SiteHandler {
  /** The paths of the pages that are public by their `handle`. */
  publicPaths: string[];
  /**
   * `form`: the body of a form, which the request has too. `admit`: of the handshake of a board's
   * socket (Visitor).
   */
  respond(request: Request, client: Asker): Promise<Response>;
  /** The page of a refused form, with what was typed. Who asks for no page gets the status only. */
  refuse(status: number, asked: Refused): Promise<Response>;
}

/** The bundle's entry: from requests to responses. server/main.ts passes in its dependencies. */
export function createSite(site: Site): SiteHandler {
  setToastCookieOptions({
    name: cookieNames(site.secure).toast,
    secrets: [site.backend.cookieSecret],
    secure: site.secure,
    maxAge: 60,
  });
  const serve = createRequestHandler(build, import.meta.env.MODE);

  function createContext(visitor: Visitor): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(visitorContext, visitor);
    return context;
  }

  const showRefused = (context: RouterContextProvider) =>
    serve(new Request(new URL("/refused", site.url)), context);

  return {
    publicPaths: Object.values(build.routes).flatMap((route) =>
      (route?.module.handle as Handle | undefined)?.isPublic ? [route?.path ?? "/"] : [],
    ),
    async refuse(status, { address, path, origin, form, accept }) {
      if (!acceptsPage(accept)) {
        return new Response(null, { status });
      }
      const fields = new URLSearchParams(form);
      const context = createContext({ address, form: { path, origin, fields } });
      refuseForm(context, status);
      return showRefused(context);
    },
    async respond(request, { form, ...client }) {
      const { pathname, search } = new URL(request.url);
      const isDocument = form !== undefined && acceptsPage(request.headers.get("Accept"));
      const context = createContext({
        ...client,
        ...(isDocument && {
          form: { path: pathname + search, fields: new URLSearchParams(form) },
        }),
      });
      const response = await serve(request, context);
      if (!context.get(refusedFormContext)) {
        return response;
      }
      const page = await showRefused(context);
      for (const cookie of response.headers.getSetCookie()) {
        page.headers.append("Set-Cookie", cookie);
      }
      return page;
    },
  };
}
