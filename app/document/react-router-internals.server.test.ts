import { PassThrough } from "node:stream";
import { text } from "node:stream/consumers";
import { createElement } from "react";
import { renderToPipeableStream } from "react-dom/server";
import {
  createRequestHandler,
  data,
  type EntryContext,
  Outlet,
  RouterContextProvider,
  Scripts,
  type ServerBuild,
  ServerRouter,
} from "react-router";
import { expect, test } from "vitest";
import {
  dropScripts,
  holdScripts,
  isDataPath,
  isLive,
  pagePath,
  paintFirst,
  retryAfter,
  withHandlers,
} from "./react-router-internals.server.ts";

const root = () =>
  createElement(
    "html",
    undefined,
    createElement("body", undefined, createElement(Outlet), createElement(Scripts)),
  );
const none = undefined;
const manifestRoute = {
  module: "/assets/x.js",
  imports: ["/assets/framework.js"],
  hasAction: true,
  hasLoader: true,
  hasClientAction: false,
  hasClientLoader: false,
  hasClientMiddleware: false,
  hasDefaultExport: true,
  hasErrorBoundary: false,
  clientActionModule: none,
  clientLoaderModule: none,
  clientMiddlewareModule: none,
  hydrateFallbackModule: none,
};

interface Asked {
  path?: string;
  toast?: string;
  live?: boolean;
  post?: boolean;
}

/** A page as React Router renders it, and what it passes to the entry. */
async function render({ path = "/", toast, live, post }: Asked = {}) {
  let entry: EntryContext | undefined;
  const paths: string[] = [];
  const build: ServerBuild = {
    ssr: true,
    isSpaMode: false,
    basename: "/",
    publicPath: "/",
    assetsBuildDirectory: "",
    prerender: [],
    future: {},
    routeDiscovery: { mode: "initial", manifestPath: "/__manifest" },
    allowedActionOrigins: ["**"],
    assets: {
      version: "1",
      url: "/assets/manifest.js",
      entry: { module: "/assets/entry.js", imports: ["/assets/framework.js"] },
      routes: {
        root: { ...manifestRoute, id: "root", path: "" },
        page: { ...manifestRoute, id: "page", parentId: "root", path: "page" },
        home: { ...manifestRoute, id: "home", parentId: "root", path: "/" },
      },
    },
    routes: {
      root: { id: "root", path: "", module: { default: root, loader: () => ({ toast }) } },
      home: { id: "home", parentId: "root", path: "/", module: page(live) },
      page: { id: "page", parentId: "root", path: "page", module: page(live) },
    },
    entry: {
      module: {
        async default(request: Request, _status: number, _headers: Headers, given: EntryContext) {
          entry = given;
          const element = createElement(ServerRouter, { context: given, url: request.url });
          const html = await new Promise<string>((resolve, reject) => {
            const { pipe } = renderToPipeableStream(element, {
              onAllReady: () => resolve(text(pipe(new PassThrough()))),
              onError: reject,
            });
          });
          return new Response(html);
        },
      },
    },
  };
  const noted = withHandlers(build, {
    loader: (handler) => (args) => {
      paths.push(args.url.pathname);
      return handler(args);
    },
    action: (handler) => async (args) => {
      paths.push(`action of ${args.url.pathname}`);
      return handler(args);
    },
  });
  const request = new Request(new URL(path, "http://localhost"), {
    method: post ? "POST" : "GET",
  });
  const response = await createRequestHandler(noted, "production")(
    request,
    new RouterContextProvider(),
  );
  return { html: await response.text(), entry: entry as EntryContext, paths };
}

const page = (live?: boolean) => ({
  default: () => createElement("p", undefined, "رسالة"),
  loader: () => "seen by nobody",
  action: () => data("no", { status: 429, headers: { "Retry-After": "60" } }),
  handle: { live },
});

const preload = 'rel="modulepreload"';
const starts = '<script type="module"';

test("a page is painted without the scripts, which stay for the first use of a form", async () => {
  const { html } = await render();
  expect(html).toContain(preload);
  const painted = paintFirst(html);
  expect(painted).not.toContain(preload);
  const [, code = ""] = /<script type="module"[^>]*>([^]*?)<\/script>/.exec(html) ?? [];
  expect(code).toContain('import("/assets/entry.js")');
  const held = holdScripts(painted);
  expect(held).not.toContain(starts);
  expect(held).toContain(`<script type="text/held" id="held">${code}</script>`);
  const dropped = dropScripts(painted);
  expect(dropped).not.toContain(starts);
  expect(dropped).not.toContain("entry.js");
  expect(dropped).toContain("رسالة");
});

test("scripts start at once for a toast and for a live page", async () => {
  expect(isLive((await render()).entry)).toBe(false);
  expect(isLive((await render({ toast: "وصلت" })).entry)).toBe(true);
  expect(isLive((await render({ live: true })).entry)).toBe(true);
});

test("an action's Retry-After is found", async () => {
  expect(retryAfter((await render()).entry)).toBeNull();
  expect(retryAfter((await render({ path: "/page", post: true })).entry)).toBe("60");
});

test.each([
  ["/", "/_.data"],
  ["/page", "/page.data"],
])("data of %s is at %s, and its loaders are wrapped", async (path, ofData) => {
  expect([isDataPath(path), isDataPath(ofData)]).toEqual([false, true]);
  expect([pagePath(path), pagePath(ofData)]).toEqual([path, path]);
  expect((await render({ path: ofData })).paths).toEqual([path, path]);
});

test("actions are wrapped", async () => {
  const { paths } = await render({ path: "/page", post: true });
  expect(paths).toEqual(["action of /page", "/page", "/page"]);
});
