import {
  createRequestHandler,
  data,
  type LoaderFunctionArgs,
  RouterContextProvider,
  type ServerBuild,
} from "react-router";
import { setToastCookieOptions } from "remix-toast";
import * as build from "virtual:react-router/server-build";
import { logFault } from "./lib/log.server.ts";
import { PublicError } from "./lib/public-error.ts";
import { cookieNames } from "./session/cookie-names.server.ts";
import { refusedForm, refuseForm } from "./session/refused-form.server.ts";
import { siteContext, type Visitor, visitorContext } from "./session/site-context.server.ts";
import type { Client, Site } from "./site-contract.server.ts";

export interface SiteHandler {
  /** `form`: the body of a form, which the request has too. */
  handle(request: Request, client: Client & { form?: string }): Promise<Response>;
  /** The page of a refused form, with what was typed. Data requests get the status only. */
  refuse(status: number, asked: { path: string; form: string }): Promise<Response>;
}

/** The bundle's entry: from requests to responses. server/main.ts passes in its dependencies. */
export function createSite(site: Site): SiteHandler {
  setToastCookieOptions({
    name: cookieNames(site.secure).toast,
    secrets: [site.backend.cookieSecret],
    secure: site.secure,
    maxAge: 60,
  });
  // server/http/csrf.ts has already checked the form's origin, for all host names of the site.
  const allowedActionOrigins = ["**"];
  const routes = withPublicErrors(build.routes);
  const pages = { ...build, routes, allowedActionOrigins };
  const serve = createRequestHandler(pages, import.meta.env.MODE);

  function createContext(visitor: Visitor): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(visitorContext, visitor);
    return context;
  }

  const showRefused = (context: RouterContextProvider) =>
    serve(new Request(new URL("/refused", site.url)), context);

  return {
    async refuse(status, { path, form }) {
      if (path.endsWith(".data")) {
        return new Response(null, { status });
      }
      const fields = new URLSearchParams(form);
      const context = createContext({ address: "", form: { path, fields } });
      refuseForm(context, status);
      return showRefused(context);
    },
    async handle(request, { address, form }) {
      const { pathname, search } = new URL(request.url);
      const isDocument = form !== undefined && !pathname.endsWith(".data");
      const context = createContext({
        address,
        ...(isDocument && {
          form: { path: pathname + search, fields: new URLSearchParams(form) },
        }),
      });
      const response = await serve(request, context);
      if (!context.get(refusedForm)) {
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

/**
 * Throws PublicErrors as responses, whose text React Router shows to visitors. It replaces the text
 * of other errors, because it may quote a statement, a value or a path.
 */
function withPublicErrors(routes: ServerBuild["routes"]): ServerBuild["routes"] {
  const wrapped = Object.entries(routes).map(([id, route]) => {
    if (!route) {
      return [id, route];
    }
    const { loader, action } = route.module;
    const module = {
      ...route.module,
      ...(loader && { loader: withPublicText(loader, 503) }),
      // Not 503, which would read as a broken connection (hooks/offline-form.ts).
      ...(action && { action: withPublicText(action, 500) }),
    };
    return [id, { ...route, module }];
  });
  return Object.fromEntries(wrapped);
}

function withPublicText<Result>(handler: (args: LoaderFunctionArgs) => Result, status: number) {
  return async (args: LoaderFunctionArgs): Promise<Awaited<Result>> => {
    try {
      return await handler(args);
    } catch (error) {
      if (!(error instanceof PublicError)) {
        throw error;
      }
      logFault("A page failed", error);
      refuseForm(args.context, 500);
      throw data(null, { status, statusText: error.message });
    }
  };
}
