import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { fileDate } from "#app/models/date.server.ts";
import { baseHeaders } from "#app/server/http/headers.ts";
import { projectRoot } from "#app/server/settings.ts";
import type { cookieNames } from "#app/session/cookie-names.server.ts";
import { timingCookie, timingHeader } from "#app/session/form-timing.server.ts";
import type { Site } from "#app/site-contract.server.ts";
import type { createSite, SiteHandler } from "#app/site.ts";
import { buildWhenNeeded } from "./build.ts";
import { onEachDay } from "./each-day.ts";
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

const targets = ["/", "/?sent"];

async function openBuild(): Promise<OpenPages> {
  await buildWhenNeeded();
  const builtSite = pathToFileURL(join(projectRoot, "build/server/index.js")).href;
  const { createSite }: SiteModule = await import(builtSite);
  let stopRenewal: (() => void) | undefined;
  return {
    async create(site, cookies) {
      const headers = baseHeaders(site.secure);
      const files = await openFiles(join(projectRoot, "build/client"), headers);
      const { handle, refuse } = createSite(site);
      const timing = await openTiming(site);
      const prerendered = new PrerenderedPages([cookies.session, cookies.toast], {
        timing,
        onView: (asked) => site.counters.countView(asked),
      });
      const add = (target: string) => {
        const render = () =>
          handle(new Request(new URL(target, site.url)), { address: "127.0.0.1" });
        return prerendered.add(target, render, headers);
      };
      const prerender = async () => {
        for (const target of targets) {
          await add(target);
        }
      };
      // The contact page may name a day, which passes. Before the first time, which may be at midnight.
      stopRenewal = onEachDay(fileDate, prerender);
      await prerender();
      return {
        handle,
        refuse,
        cached: (request, response) =>
          prerendered.serve(request, response) || files(request, response),
      };
    },
    async close() {
      stopRenewal?.();
    },
  };
}

async function openSources(server: Server): Promise<OpenPages> {
  const { createServer } = await import("vite");
  const vite = await createServer({
    root: projectRoot,
    appType: "custom",
    server: { middlewareMode: true, hmr: { server } },
  });
  // That of React Router's own Vite would end the process before the database is closed.
  process.removeAllListeners("SIGTERM");
  return {
    async create(site) {
      const load = async () => {
        const { createSite } = (await vite.ssrLoadModule("/app/site.ts")) as SiteModule;
        return createSite(site);
      };
      const handle: Pages["handle"] = async (...args) => (await load()).handle(...args);
      return {
        handle,
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
