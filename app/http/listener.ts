import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener } from "@hono/node-server";
import type { Site } from "../context.ts";
import { baseHeaders, setBaseHeaders } from "./headers.ts";
import { isOwnRequest } from "./origin.ts";
import type { Pages } from "./pages.ts";

interface Parts extends Pages {
  site: Site;
  clientAddress(request: IncomingMessage): string;
}

const supabasePath = /^\/(auth|rest)\/v1\//;
// A message of 5,000 characters is at most 30 kB as a form sends it.
const maxFormBytes = 128 * 1024;

/** Everything that comes to the site's port, in the order in which it is decided who answers. */
export function createRequestListener(parts: Parts): RequestListener {
  const { site, handle, ready, files, clientAddress } = parts;
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
    if (supabasePath.test(request.url ?? "")) return void respond(request, response);
    if (!isOwnRequest(request, site.url.host)) {
      return void response.writeHead(403, { "Content-Type": "text/plain" }).end("Forbidden");
    }
    if (Number(request.headers["content-length"] ?? 0) > maxFormBytes) {
      return void response.writeHead(413, { Connection: "close" }).end();
    }
    files(request, response, () => void respond(request, response));
  };
}

function health(healthy: boolean): Response {
  return Response.json(
    { process: "ok", database: healthy ? "ok" : "away" },
    { status: healthy ? 200 : 503, headers: { "Cache-Control": "no-store" } },
  );
}

/** What no page caught; the visitor learns no more than the page would say. */
function unexpected(error: unknown): Response {
  console.error(error instanceof Error ? error.stack : "A request failed without an Error.");
  return new Response("Unexpected Application Error!", {
    status: 500,
    headers: { "Content-Type": "text/plain; charset=utf-8" },
  });
}
