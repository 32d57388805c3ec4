import { randomBytes } from "node:crypto";
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
import { hasScripts } from "./components/handle.ts";
import { logScript } from "./components/not-found.tsx";
import { compressOnce } from "./document/compression.server.ts";
import { contentSecurityPolicy } from "./document/content-security-policy.server.ts";
import { refusedFormContext, refuseForm } from "./session/refused-form.server.ts";

const oneAtATime = pLimit(1);

/** Renders one page in a turn of the event loop: 200 in one kept others waiting for seconds. */
export default function handleRequest(...args: Parameters<typeof renderPage>): Promise<Response> {
  return oneAtATime(async () => {
    await setImmediate();
    return renderPage(...args);
  });
}

/** Renders the whole page first: a fault in it has a status of its own. */
async function renderPage(
  request: Request,
  status: number,
  headers: Headers,
  entry: EntryContext,
  context: RouterContextProvider,
): Promise<Response> {
  const { matches, errors } = entry.staticHandlerContext;
  // This is not in handleError, which thrown responses do not reach.
  if (errors && status >= 500 && !context.get(refusedFormContext)) {
    refuseForm(context, status);
  }
  const handles = matches.map(({ route }) => route.handle);
  const isScripted = hasScripts(handles, errors);
  // The development server has no policy, and React would warn that the browser hides the nonce.
  const hasNonce = isScripted && !import.meta.env.DEV;
  const nonce = hasNonce ? randomBytes(16).toString("base64url") : undefined;
  let fault: unknown;
  const page = <ServerRouter context={entry} url={request.url} nonce={nonce} />;
  const stream = await renderToReadableStream(page, {
    nonce,
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
  headers.set("Content-Type", "text/html; charset=utf-8");
  const script = status === 404 ? logScript : undefined;
  // The development server adds its own scripts and styles.
  const policy = import.meta.env.DEV ? "" : contentSecurityPolicy({ nonce, script });
  headers.set("Content-Security-Policy", policy);
  // A page of an account is stored nowhere. On other pages, going back shows what was typed.
  const caching = isScripted ? "private, no-store" : "private, no-cache";
  // A CDN would put scripts of its own in the place of addresses, and the policy stops those.
  headers.set("Cache-Control", `${headers.get("Cache-Control") ?? caching}, no-transform`);
  const html = Buffer.from(await new Response(stream).arrayBuffer());
  const body = compressOnce(html, request.headers.get("Accept-Encoding"), headers);
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
