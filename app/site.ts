import {
  createRequestHandler,
  data,
  type LoaderFunctionArgs,
  RouterContextProvider,
  type ServerBuild,
} from "react-router";
import { setToastCookieOptions } from "remix-toast";
import * as build from "virtual:react-router/server-build";
import { noteAgain } from "./lib/form-errors.ts";
import { logFault } from "./lib/log.server.ts";
import { PublicError } from "./lib/public-error.ts";
import { safePath } from "./lib/safe-path.ts";
import { cookieNames } from "./session/cookie-names.server.ts";
import {
  refusalContext,
  type Refused,
  refusedContext,
  type Site,
  siteContext,
  visitorContext,
} from "./session/site-context.server.ts";

interface Visitor {
  address: string;
  form?: string;
}

export interface SiteHandler {
  handle(request: Request, visitor: Visitor): Promise<Response>;
  /** The page of a refused form, with what was typed. Data requests get the status only. */
  refuse(refused: number | Refused, asked: { path: string; form: string }): Promise<Response>;
}

// No passwords or codes.
const keptFields = ["name", "email", "phone", "message", "note"];

/** The bundle's entry: from requests to responses. server/main.ts passes in its dependencies. */
export function createSite(site: Site): SiteHandler {
  setToastCookieOptions({
    name: cookieNames(site.secure).notice,
    secrets: [site.backend.cookieSecret],
    secure: site.secure,
    maxAge: 60,
  });
  // server/http/csrf.ts has already checked the form's origin, for all host names of the site.
  const allowedActionOrigins = ["**"];
  const routes = withPublicErrors(build.routes);
  const pages = { ...build, routes, allowedActionOrigins };
  const serveHome = createRequestHandler(homeOf(pages), import.meta.env.MODE);
  const serveAll = createRequestHandler(pages, import.meta.env.MODE);
  const serve = (request: Request, context: RouterContextProvider) =>
    (new URL(request.url).pathname === "/" ? serveHome : serveAll)(request, context);

  function createContext(address: string): RouterContextProvider {
    const context = new RouterContextProvider();
    context.set(siteContext, site);
    context.set(visitorContext, { address });
    return context;
  }

  const refuse: SiteHandler["refuse"] = async (why, { path, form }) => {
    const refused = typeof why === "number" ? { status: why } : why;
    const { status } = refused;
    if (path.endsWith(".data")) {
      return new Response(null, { status });
    }
    const fields = new URLSearchParams(form);
    const isUnsaved = status === 500 && fields.has("note");
    const typed = keptFields.map((name) => [name, fields.get(name) ?? ""]);
    const kept = Object.fromEntries(typed.filter(([, text]) => text !== ""));
    const context = createContext("");
    const back = safePath(path, site.url.origin) ?? "/";
    context.set(refusalContext, {
      ...refused,
      ...(isUnsaved && { again: noteAgain(fields) }),
      back: status === 403 ? new URL(back, site.url).href : back,
      kept,
    });
    return serve(new Request(new URL("/refused", site.url)), context);
  };

  return {
    refuse,
    async handle(request, { address, form }) {
      const context = createContext(address);
      const response = await serve(request, context);
      const refused = context.get(refusedContext);
      const { pathname, search } = new URL(request.url);
      if (form === undefined || !refused || pathname.endsWith(".data")) {
        return response;
      }
      const page = await refuse(refused, { path: pathname + search, form });
      for (const cookie of response.headers.getSetCookie()) {
        page.headers.append("Set-Cookie", cookie);
      }
      return page;
    },
  };
}

// React Router matches each more specific route before "/", for a tenth of that page's CPU.
function homeOf(pages: ServerBuild): ServerBuild {
  const { routes, assets } = pages;
  return {
    ...pages,
    routes: onlyHome(routes),
    assets: { ...assets, routes: onlyHome(assets.routes) },
  };
}

const homeId = "routes/home/home";

const onlyHome = <Route>({ root, [homeId]: home }: Record<string, Route>) => ({
  root,
  [homeId]: home,
});

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
      args.context.set(refusedContext, { status: 500 });
      throw data(null, { status, statusText: error.message });
    }
  };
}
