import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import type { Site } from "#app/session/site-context.server.ts";
import type { cookieNames } from "#app/session/cookie-names.server.ts";
import { projectRoot } from "./project-root.ts";
import type { createSite, SiteHandler } from "#app/site.ts";
import { buildWhenNeeded } from "./build.ts";
import { openFiles } from "./static-files.ts";
import { baseHeaders } from "./headers.ts";
import { visitCookie, type VisitHeader, visitHeader } from "#app/session/form-timing.server.ts";
import { ReadyPages } from "./prerendered-pages.ts";

interface SiteModule {
  createSite: typeof createSite;
}

export interface Pages extends SiteHandler {
  /** Answers for a ready page or a file; false if it is none. */
  ready(request: IncomingMessage, response: ServerResponse): boolean;
  /** Answers for what Vite makes of a source; otherwise calls `next`. */
  sources?(request: IncomingMessage, response: ServerResponse, next: () => void): void;
}

interface OpenPages {
  create(site: Site, cookies: ReturnType<typeof cookieNames>): Promise<Pages>;
  close(): Promise<void>;
}

/** The pages and their files: built ones, or in development those of a running Vite. */
export function openPages(dev: boolean, server: Server): Promise<OpenPages> {
  return dev ? openSources(server) : openBuild();
}

/** The same for everyone without a cookie of the site. */
const readyTargets = ["/", "/?sent", "/auth", "/auth?mode=sign-up"];

async function openBuild(): Promise<OpenPages> {
  await buildWhenNeeded();
  const builtSite = pathToFileURL(join(projectRoot, "build/server/index.js")).href;
  const { createSite }: SiteModule = await import(builtSite);
  return {
    async create(site, cookies) {
      const headers = baseHeaders(site.secure);
      const files = await openFiles(join(projectRoot, "build/client"), headers);
      const { handle, refuse } = createSite(site);
      const visit = await openVisits(site);
      const readyPages = new ReadyPages([cookies.session, cookies.notice], visit);
      for (const target of readyTargets) {
        const render = () =>
          handle(new Request(new URL(target, site.url)), { address: "127.0.0.1" });
        await readyPages.add(target, render, headers);
      }
      return {
        handle: withVisit(handle, visit),
        refuse,
        ready: (request, response) =>
          readyPages.serve(request, response) || files(request, response),
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
      // Loaded at each request: Vite answers from its cache unless a source has changed.
      const load = async () => {
        const { createSite } = (await vite.ssrLoadModule("/app/site.ts")) as SiteModule;
        return createSite(site);
      };
      const handle: Pages["handle"] = async (...args) => (await load()).handle(...args);
      return {
        handle: withVisit(handle, await openVisits(site)),
        refuse: async (...args) => (await load()).refuse(...args),
        ready: () => false,
        sources: vite.middlewares as (
          ...args: [...Parameters<RequestListener>, () => void]
        ) => void,
      };
    },
    close: () => vite.close(),
  };
}

const openVisits = ({ secure, backend }: Site) =>
  visitHeader(visitCookie(secure, backend.cookieSecret));

/** Begins a visit with the form's page where it is rendered, also for a navigation by scripts. */
function withVisit(handle: Pages["handle"], visit: VisitHeader): Pages["handle"] {
  return async (request, visitor) => {
    const response = await handle(request, visitor);
    if (request.method === "GET" && /^\/+(_\.data)?$/.test(new URL(request.url).pathname)) {
      const header = await visit(request.headers.get("Cookie") ?? undefined);
      if (header !== undefined) {
        response.headers.append("Set-Cookie", header);
      }
    }
    return response;
  };
}
