import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener, RequestError } from "@hono/node-server";
import type { Site } from "../context.ts";
import { baseHeaders, setBaseHeaders } from "./headers.ts";
import { isOwnRequest, isSafe } from "./origin.ts";
import type { Pages } from "./pages.ts";

interface Parts extends Pages {
  site: Site;
  clientAddress(request: IncomingMessage): string;
}

const supabasePath = /^\/(auth|rest)\/v1\//;
// A message of 5,000 characters is at most 45 kB as a form sends it; who pastes a book shall hear
// that it is too long, and have it back.
const maxFormBytes = 512 * 1024;
const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;

/** Everything that comes to the site's port, in the order in which it is decided who answers. */
export function createRequestListener(parts: Parts): RequestListener {
  const { site, handle, ready, sources, clientAddress } = parts;
  const { backend } = site;
  const headers = baseHeaders(site.secure);

  const respond = getRequestListener(
    async (request, { incoming }) => {
      const address = clientAddress(incoming as IncomingMessage);
      const { pathname } = new URL(request.url);
      if (pathname === "/healthz") return health(await backend.healthy());
      if (backend.endpoints && supabasePath.test(pathname)) {
        return backend.endpoints.fetch(request, { address });
      }
      return handle(request, address);
    },
    { errorHandler: unexpected },
  );

  return (request, response) => {
    if (ready(request, response)) return;
    setBaseHeaders(response, headers);
    // A Request cannot have these (Fetch, 2.2.1).
    if (/^(TRACE|TRACK)$/.test(request.method ?? "")) {
      return void response.writeHead(405, { Allow: "GET, HEAD, POST" }).end();
    }
    const target = requestTarget(request, site.url.origin);
    if (target === undefined) return void response.writeHead(400, { Connection: "close" }).end();
    // From here on all see one path: `/auth/v1/../../sign-out` must not pass for the first part.
    request.url = target;
    if (supabasePath.test(target)) return void respond(request, response);
    if (!isOwnRequest(request, site.url)) {
      return void response.writeHead(403, { "Content-Type": "text/plain" }).end("Forbidden");
    }
    if (!isSafe(request) && !formType.test(request.headers["content-type"] ?? "")) {
      return void response.writeHead(415, { Connection: "close" }).end();
    }
    // Browsers know how long a form is; a body without an end in sight would be kept in memory.
    if (request.headers["transfer-encoding"] !== undefined) {
      return void response.writeHead(411, { Connection: "close" }).end();
    }
    if (Number(request.headers["content-length"] ?? 0) > maxFormBytes) {
      return void response.writeHead(413, { Connection: "close" }).end();
    }
    const answer = () => void respond(request, response);
    if (sources) sources(request, response, answer);
    else answer();
  };
}

/** The path and query that a request asks for, as a browser writes them; undefined if it is none. */
function requestTarget({ url = "" }: IncomingMessage, origin: string): string | undefined {
  const parsed = URL.parse(url.startsWith("/") ? `${origin}${url}` : url);
  return parsed?.pathname.startsWith("/") ? `${parsed.pathname}${parsed.search}` : undefined;
}

function health(healthy: boolean): Response {
  return Response.json(
    { process: "ok", database: healthy ? "ok" : "away" },
    { status: healthy ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

/** What no page caught; the visitor learns no more than the page would say. */
function unexpected(error: unknown): Response {
  // A Host header that is none.
  if (error instanceof RequestError) return new Response(null, { status: 400 });
  console.error(error instanceof Error ? error.stack : "A request failed without an Error.");
  return new Response("Unexpected Application Error!", {
    status: 500,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
