import { setImmediate } from "node:timers/promises";
import pLimit from "p-limit";
import { renderToReadableStream } from "react-dom/server";
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
import { holdScripts } from "./document/react-router-internals.server.ts";
import { sheetOf } from "./document/style-sheets.ts";
import { refusedForm, refuseForm } from "./session/refused-form.server.ts";

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
  // Not in handleError, which thrown responses do not reach.
  if (entry.staticHandlerContext.errors && status >= 500 && !context.get(refusedForm)) {
    refuseForm(context, status);
  }
  let fault: unknown;
  const stream = await renderToReadableStream(<ServerRouter context={entry} url={request.url} />, {
    // Scripts would put the parts of a long page into their places.
    progressiveChunkSize: Infinity,
    onError(error) {
      fault = error;
    },
  });
  await stream.allReady;
  if (fault !== undefined) {
    throw fault;
  }
  const page = holdScripts(await new Response(stream).text());
  headers.set("Content-Type", "text/html; charset=utf-8");
  // The development server adds its own scripts and styles.
  const sheet = sheetOf(new URL(request.url).pathname);
  const policy = import.meta.env.DEV ? "" : contentSecurityPolicy(page, sheet);
  headers.set("Content-Security-Policy", policy);
  if (!headers.has("Cache-Control")) {
    headers.set("Cache-Control", "private, no-store");
  }
  const body = compressOnce(Buffer.from(page), request.headers.get("Accept-Encoding"), headers);
  return new Response(request.method === "HEAD" ? null : body, { status, headers });
}

export const handleDataRequest: HandleDataRequestFunction = async (response, { request }) => {
  const { status, headers } = response;
  const data = Buffer.from(await response.arrayBuffer());
  const body = compressOnce(data, request.headers.get("Accept-Encoding"), headers);
  return new Response(body.length > 0 ? body : null, { status, headers });
};

/** Logs faults without any input of the visitor. Refusals and cut connections are no faults. */
export const handleError: HandleErrorFunction = (error, { request }) => {
  if (request.signal.aborted || isRouteErrorResponse(error)) {
    return;
  }
  logFault("A page failed", error);
};
