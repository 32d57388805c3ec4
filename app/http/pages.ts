import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import sirv from "sirv";
import type { Site } from "../context.ts";
import type { cookieNames } from "../cookies.ts";
import type { createSite } from "../site.ts";
import { buildWhenNeeded } from "./build.ts";
import { baseHeaders, pageHeaders } from "./headers.ts";
import { visitCookie, visitHeader } from "../lib/visit.ts";
import { ReadyPages } from "./ready-pages.ts";

type Handle = ReturnType<typeof createSite>;
type SiteModule = { createSite: typeof createSite };

export interface Pages {
  handle: Handle;
  /** Answers for a ready page; false if it is none. */
  ready(request: IncomingMessage, response: ServerResponse): boolean;
  /** Answers for a file; otherwise calls `next`. */
  files(request: IncomingMessage, response: ServerResponse, next: () => void): void;
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
const readyTargets = ["/", "/auth", "/auth?mode=sign-up"];

async function openBuild(): Promise<OpenPages> {
  await buildWhenNeeded(console.log);
  const builtSite = new URL("../../build/server/index.js", import.meta.url).href;
  const { createSite }: SiteModule = await import(builtSite);
  const files = sirv("build/client", {
    brotli: true,
    gzip: true,
    etag: true,
    // Else every page's path is looked for as nine files first.
    extensions: [],
    setHeaders(response, path) {
      const isAsset = path.startsWith("/assets/");
      const caching = isAsset ? "public, max-age=31536000, immutable" : "public, max-age=3600";
      response.setHeader("Cache-Control", caching);
      if (isAsset) for (const name of pageHeaders) response.removeHeader(name);
    },
  });
  return {
    async create(site, cookies) {
      const handle = createSite(site);
      const visit = await openVisits(site);
      const readyPages = new ReadyPages([cookies.session, cookies.notice], visit);
      for (const target of readyTargets) {
        const render = () => handle(new Request(new URL(target, site.url)), "127.0.0.1");
        await readyPages.add(target, render, baseHeaders(site.secure));
      }
      return {
        handle: withVisit(handle, visit),
        files,
        ready: (request, response) => readyPages.serve(request, response),
      };
    },
    async close() {},
  };
}

async function openSources(server: Server): Promise<OpenPages> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    appType: "custom",
    server: { middlewareMode: true, hmr: { server } },
  });
  return {
    async create(site) {
      // Loaded at each request: Vite answers from its cache unless a source has changed.
      const load = () => vite.ssrLoadModule("/app/site.ts") as Promise<SiteModule>;
      const handle: Handle = async (request, address) =>
        (await load()).createSite(site)(request, address);
      return {
        handle: withVisit(handle, await openVisits(site)),
        files: vite.middlewares as (...args: [...Parameters<RequestListener>, () => void]) => void,
        ready: () => false,
      };
    },
    close: () => vite.close(),
  };
}

const openVisits = ({ secure, backend }: Site) =>
  visitHeader(visitCookie(secure, backend.cookieSecret));

/** Tells with the form's page, also where it is no ready one, when it was given. */
function withVisit(handle: Handle, visit: () => string): Handle {
  return async (request, address) => {
    const response = await handle(request, address);
    if (request.method === "GET" && new URL(request.url).pathname === "/") {
      response.headers.append("Set-Cookie", visit());
    }
    return response;
  };
}
