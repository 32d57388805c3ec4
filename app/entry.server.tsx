import { Writable } from "node:stream";
import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { renderToPipeableStream } from "react-dom/server";
import {
  type EntryContext,
  type HandleDataRequestFunction,
  type HandleErrorFunction,
  isRouteErrorResponse,
  type RouterContextProvider,
  ServerRouter,
} from "react-router";
import { logFault } from "#app/lib/log.server.ts";
import { compressOnce } from "./document/compression.server.ts";
import { contentSecurityPolicy } from "./document/content-security-policy.server.ts";
import { dataScript } from "./document/data-script.server.ts";
import { dropScripts, holdScripts, paintFirst } from "./document/hold-scripts.server.ts";
import { pageCompressor } from "./document/page-compression.server.ts";
import { styleSheet } from "./document/style-sheet.server.ts";
import { styles } from "./document/styles.ts";
import { refusedForm, refuseForm } from "./session/refused-form.server.ts";
import { siteContext } from "./session/site-context.server.ts";

const stylesPlace = `<style>${styles}`;
const compressPage = pageCompressor(`<style>${styleSheet}`);

const oneAtATime = pLimit(1);

/** Renders one page in a turn of the event loop: 200 in one kept others waiting for seconds. */
export default function handleRequest(...args: Parameters<typeof renderPage>): Promise<Response> {
  return oneAtATime(async () => {
    await setImmediate();
    return renderPage(...args);
  });
}

/** Renders the whole page first: the policy needs the hashes of all scripts. */
async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { serverHandoffStream, ...routed } = entry;
  const page = paintFirst(await render(<ServerRouter context={routed} url={request.url} />));
  const script = await dataScript(serverHandoffStream);
  const whole = page.replace("</body>", (end) => script + end);
  const linked = isSignedIn(entry) ? whole.replace("</head>", `${manifestLink}$&`) : whole;
  const still = context.get(refusedForm) ? dropScripts : holdScripts;
  const html = hydratesAtOnce(entry) ? linked : still(linked);
  headers.set("Content-Type", "text/html; charset=utf-8");
  const { url } = context.get(siteContext);
  // The development server adds its own scripts and styles.
  const policy = import.meta.env.DEV ? "" : contentSecurityPolicy(html, url);
  headers.set("Content-Security-Policy", policy);
  for (const action of Object.values(entry.staticHandlerContext.actionHeaders)) {
    const wait = action.get("Retry-After");
    if (wait !== null) {
      headers.set("Retry-After", wait);
    }
  }
  if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", "private, no-store");
  }
  const [before = "", after = ""] = html.split(stylesPlace);
  const body = compressPage(before, after, request.headers.get("Accept-Encoding"), headers);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

export const handleDataRequest: HandleDataRequestFunction = async (response, { request }) => {
  const { status, headers } = response;
  const data = Buffer.from(await response.arrayBuffer());
  const body = compressOnce(data, request.headers.get("Accept-Encoding"), headers);
  return new Response(body.length > 0 ? body : null, { status, headers });
};

/** Whether scripts start with the page; in development always, for hot reload. */
function hydratesAtOnce({ staticHandlerContext: { matches, loaderData } }: EntryContext): boolean {
  const hasToast = Boolean(loaderData.root?.toast);
  return import.meta.env.DEV || hasToast || matches.some(({ route }) => route.handle?.live);
}

// Here, because it would take 100 bytes of the inbox's scripts.
const manifestLink = '<link rel="manifest" href="/manifest.webmanifest"/>';

const isSignedIn = ({ staticHandlerContext: { matches } }: EntryContext) =>
  matches.some(({ route }) => route.id === "routes/signed-in");

/**
 * Resolves with the page's UTF-8 bytes as a latin1 string: text of the page is only cut and searched
 * for ASCII, and decoding and encoding Arabic costs a tenth of a page.
 */
function render(element: React.ReactElement): Promise<string> {
  return new Promise((resolve, reject) => {
    const chunks: Uint8Array[] = [];
    const page = new Writable({
      write(chunk: Uint8Array, _encoding, done) {
        chunks.push(chunk);
        done();
      },
    }).once("finish", () => resolve(Buffer.concat(chunks).toString("latin1")));
    const { pipe } = renderToPipeableStream(element, {
      onAllReady: () => pipe(page),
      onError: reject,
    });
  });
}

/** Logs faults without any input of the visitor. Refusals and cut connections are no faults. */
export const handleError: HandleErrorFunction = (error, { request, context }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) {
    return;
  }
  refuseForm(context, 500);
  logFault("A page failed", error);
};
