import { Writable } from "node:stream";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { faultContext, siteContext } from "./session/site-context.server.ts";
import { encodeOnce } from "./document/compression.server.ts";
import { contentSecurityPolicy } from "./document/content-security-policy.server.ts";
import { pageEncoder } from "./document/page-compression.server.ts";
import { holdScripts, paintFirst } from "./document/hold-scripts.server.ts";
import { styleSheet } from "./document/style-sheet.server.ts";
import { styles } from "./document/styles.ts";
import { logFault } from "#app/lib/log.server.ts";

const stylesPlace = `<style>${styles}`;
const encodePage = pageEncoder(`<style>${styleSheet}`);

/**
 * Renders the whole page before the first byte leaves: pages are small, and only a
 * finished one can be hashed for its Content-Security-Policy.
 */
export default async function handleRequest(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const page = paintFirst(await render(<ServerRouter context={entry} url={request.url} />));
  const html = hydratesAtOnce(entry) ? page : holdScripts(page);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const { url } = context.get(siteContext);
  // The development server adds scripts and styles of its own, to the page and in the browser.
  const policy = import.meta.env.DEV ? "" : contentSecurityPolicy(html, url);
  headers.set("Content-Security-Policy", policy);
  if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", "private, no-store");
  }
  const [before = "", after = ""] = html.split(stylesPlace);
  const body = encodePage(before, after, request.headers.get("Accept-Encoding"), headers);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

/** What loaders and actions answer to a page that is already open. */
export const handleDataRequest: HandleDataRequestFunction = async (response, { request }) => {
  const { status, headers } = response;
  const data = Buffer.from(await response.arrayBuffer());
  const body = encodeOnce(data, request.headers.get("Accept-Encoding"), headers);
  return new Response(body.length > 0 ? body : null, { status, headers });
};

/** The development server's own scripts must run at once, or nothing reloads. */
function hydratesAtOnce({ staticHandlerContext: { matches, loaderData } }: EntryContext): boolean {
  const hasNotice = Boolean(loaderData.root?.toast);
  return import.meta.env.DEV || hasNotice || matches.some(({ route }) => route.handle?.live);
}

function render(element: React.ReactElement): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const sink = new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        done();
      },
      final(done) {
        resolve(Buffer.concat(chunks).toString());
        done();
      },
    });
    const { pipe } = renderToPipeableStream(element, {
      onAllReady: () => pipe(sink),
      onError: reject,
    });
  });
}

/** Logs what went wrong, without what the visitor sent; refusals and cut connections are no faults. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) {
    return;
  }
  context.set(faultContext, true);
  logFault("A page failed", error);
};
