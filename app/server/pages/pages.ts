import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { baseHeaders } from "#app/server/http/headers.ts";
import { projectRoot } from "#app/server/settings.ts";
import type { cookieNames } from "#app/session/cookie-names.server.ts";
import { timingCookie, type TimingHeader, timingHeader } from "#app/session/form-timing.server.ts";
import type { Site } from "#app/site-contract.server.ts";
import type { createSite, SiteHandler } from "#app/site.ts";
import { buildWhenNeeded } from "./build.ts";
import { PrerenderedPages } from "./prerendered-pages.ts";
import { openFiles } from "./static-files.ts";

interface SiteModule {
  createSite: typeof createSite;
}

export interface Pages extends SiteHandler {
  /** Answers a request for a prerendered page or a file; returns false for others. */
  cached(request: IncomingMessage, response: ServerResponse): boolean;
  /** Answers a request for a module of Vite, or calls `next`. */
  sources?(request: IncomingMessage, response: ServerResponse, next: () => void): void;
}

interface OpenPages {
  create(site: Site, cookies: ReturnType<typeof cookieNames>): Promise<Pages>;
  close(): Promise<void>;
}

/** Opens the built pages and files, or Vite in development. */
export function openPages(dev: boolean, server: Server): Promise<OpenPages> {
  return dev ? openSources(server) : openBuild();
}

const prerenderedTargets = ["/", "/?sent", "/auth", "/auth?mode=sign-up"];

async function openBuild(): Promise<OpenPages> {
  await buildWhenNeeded();
  const builtSite = pathToFileURL(join(projectRoot, "build/server/index.js")).href;
  const { createSite }: SiteModule = await import(builtSite);
  return {
    async create(site, cookies) {
      const headers = baseHeaders(site.secure);
      const files = await openFiles(join(projectRoot, "build/client"), headers);
      const { handle, refuse } = createSite(site);
      const timing = await openTiming(site);
      const prerendered = new PrerenderedPages([cookies.session, cookies.toast], timing);
      for (const target of prerenderedTargets) {
        const render = () =>
          handle(new Request(new URL(target, site.url)), { address: "127.0.0.1" });
        await prerendered.add(target, render, headers);
      }
      return {
        handle: limitInFlight(withTiming(handle, timing)),
        refuse,
        cached: (request, response) =>
          prerendered.serve(request, response) || files(request, response),
      };
    },
    async close() {},
  };
}

async function openSources(server: Server): Promise<OpenPages> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: projectRoot,
    appType: "custom",
    server: { middlewareMode: true, hmr: { server } },
  });
  return {
    async create(site) {
      const load = async () => {
        const { createSite } = (await vite.ssrLoadModule("/app/site.ts")) as SiteModule;
        return createSite(site);
      };
      const handle: Pages["handle"] = async (...args) => (await load()).handle(...args);
      return {
        handle: withTiming(handle, await openTiming(site)),
        refuse: async (...args) => (await load()).refuse(...args),
        cached: () => false,
        sources: vite.middlewares as (
          ...args: [...Parameters<RequestListener>, () => void]
        ) => void,
      };
    },
    close: () => vite.close(),
  };
}

const openTiming = ({ secure, backend }: Site) =>
  timingHeader(timingCookie(secure, backend.cookieSecret));

// About half a second of work. Includes pages that wait for the database.
const maxInFlight = 100;

/** Answers 503 with Retry-After while too many pages are in flight. Forms are always handled. */
function limitInFlight(handle: Pages["handle"]): Pages["handle"] {
  let inFlight = 0;
  return async (request, visitor) => {
    if (inFlight >= maxInFlight && request.method !== "POST") {
      return new Response(null, { status: 503, headers: { "Retry-After": "2" } });
    }
    inFlight += 1;
    try {
      return await handle(request, visitor);
    } finally {
      inFlight -= 1;
    }
  };
}

/** Sets the timing cookie on the form's page, as a document and as data. */
function withTiming(handle: Pages["handle"], timing: TimingHeader): Pages["handle"] {
  return async (request, visitor) => {
    const response = await handle(request, visitor);
    if (request.method === "GET" && /^\/+(_\.data)?$/.test(new URL(request.url).pathname)) {
      const header = await timing(request.headers.get("Cookie") ?? undefined);
      if (header !== undefined) {
        response.headers.append("Set-Cookie", header);
      }
    }
    return response;
  };
}
