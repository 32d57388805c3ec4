import type { IncomingMessage, RequestListener, Server, ServerResponse } from "node:http";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { baseHeaders } from "#app/server/http/headers.ts";
import { projectRoot } from "#app/server/settings.ts";
import type { cookieNames } from "#app/session/cookie-names.server.ts";
import { timingCookie, timingHeader } from "#app/session/form-timing.server.ts";
import type { Site } from "#app/site-contract.server.ts";
import type { createSite, SiteHandler } from "#app/site.ts";
import { buildWhenNeeded } from "./build.ts";
import { ContactPage } from "./contact-page.ts";
import { builtFiles } from "./files.ts";

interface SiteModule {
  createSite: typeof createSite;
}

export interface Pages extends SiteHandler {
  /** Answers a request from bytes or by a module of Vite, or calls `next`. */
  answer(request: IncomingMessage, response: ServerResponse, next: () => void): void;
  /** Renders the contact page in memory again. In development the page is not stored. */
  renew?(): Promise<void>;
  /** The files of the build. In development Vite has them. */
  files?: ReturnType<typeof builtFiles>;
}

interface OpenPages {
  create(site: Site, cookies: ReturnType<typeof cookieNames>): Promise<Pages>;
  close(): Promise<void>;
}

/** Opens the built pages and files, or Vite in development. */
export function openPages(dev: boolean, server: Server): Promise<OpenPages> {
  return dev ? openSources(server) : openBuild();
}

async function openBuild(): Promise<OpenPages> {
  await buildWhenNeeded();
  const builtSite = pathToFileURL(join(projectRoot, "build/server/index.js")).href;
  const { createSite }: SiteModule = await import(builtSite);
  return {
    async create(site, { session, toast }) {
      const { publicPaths, respond, refuse } = createSite(site);
      const page = new ContactPage({
        headers: baseHeaders(site.secure),
        cookies: [session, toast],
        timing: await timingHeader(timingCookie(site.secure, site.backend.cookieSecret)),
        render: () => respond(new Request(new URL("/", site.url)), { address: "127.0.0.1" }),
        onView: (asked) => site.counters.countView(asked),
      });
      await page.renew();
      return {
        publicPaths,
        respond,
        refuse,
        answer: (asked, response, next) => page.answer(asked, response) || next(),
        renew: () => page.renew(),
        files: builtFiles(),
      };
    },
    close: async () => undefined,
  };
}

async function openSources(server: Server): Promise<OpenPages> {
  const { createServer } = await import("vite");
  // node --watch follows imports, and would restart for the file that Vite makes of its configuration,
  // imports and deletes.
  const { WATCH_REPORT_DEPENDENCIES: watched = "" } = process.env;
  process.env["WATCH_REPORT_DEPENDENCIES"] = "";
  const vite = await createServer({
    root: projectRoot,
    appType: "custom",
    server: { middlewareMode: true, ws: { server } },
  });
  process.env["WATCH_REPORT_DEPENDENCIES"] = watched;
  // That of React Router's own Vite would end the process before the database is closed.
  process.removeAllListeners("SIGTERM");
  return {
    async create(site) {
      const load = async () => {
        const { createSite } = (await vite.ssrLoadModule("/app/site.ts")) as SiteModule;
        return createSite(site);
      };
      const respond: Pages["respond"] = async (...args) => (await load()).respond(...args);
      return {
        publicPaths: (await load()).publicPaths,
        respond,
        refuse: async (...args) => (await load()).refuse(...args),
        answer: vite.middlewares as (...args: [...Parameters<RequestListener>, () => void]) => void,
      };
    },
    close: () => vite.close(),
  };
}
