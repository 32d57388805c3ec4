import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { logFault } from "#app/lib/log.server.ts";
import { pictureFiles } from "#app/server/pages/files.ts";
import type { Pages } from "#app/server/pages/pages.ts";
import { sharing } from "#app/server/sharing/sharing.ts";
import type { Site } from "#app/site-contract.server.ts";
import { isLocal } from "./client-address.ts";
import { baseHeaders, setBaseHeaders } from "./headers.ts";
import { healthOf } from "./health.ts";
import { isOwn, isVisitorsText, originOf } from "./own-page.ts";
import { isDownload, readTimeoutMs, sendStream } from "./send-stream.ts";

interface Parts extends Pages {
  site: Site;
  clientAddress(request: IncomingMessage): string;
}

interface Bound {
  Bindings: HttpBindings;
}

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;
// The largest valid message takes 45 kB. A refused text of up to this size is shown again as a whole.
const maxFormSize = 128 * 1024;
const maxDiscarded = 8 * 1024 * 1024;

/** Answers every request: from bytes where it can, by the app below, with the default headers. */
export function createRequestListener(parts: Parts): RequestListener {
  const { site, answer } = parts;
  const headers = baseHeaders(site.secure);
  const app = createApp(parts);
  const listen = getRequestListener(
    (request, bindings) => app.fetch(request, bindings as HttpBindings),
    { errorHandler: unreadable },
  );
  return (request, response) => {
    if (!hasOneHost(request) || !request.url?.startsWith("/")) {
      setBaseHeaders(response, headers);
      response.writeHead(400, { Connection: "close" }).end();
      return;
    }
    answer(request, response, () => {
      setBaseHeaders(response, headers);
      void listen(request, response);
    });
  };
}

/** With several Host headers Node uses the first one, and a proxy may use the last one. */
export const hasOneHost = ({ headersDistinct }: IncomingMessage): boolean =>
  (headersDistinct["host"]?.length ?? 0) <= 1;

function createApp({ site, publicPaths, respond, refuse, files, clientAddress }: Parts) {
  const app = new Hono<Bound>();
  const addressOf = (c: Context<Bound>) => clientAddress(c.env.incoming);
  const refused = (c: Context<Bound>, status: number, form = "") =>
    refuse(status, {
      address: addressOf(c),
      path: c.req.path,
      origin: originOf(c.env.incoming, site.url),
      form: isVisitorsText(c.env.incoming) ? form : "",
      accept: c.req.header("Accept"),
    });

  if (files) {
    app.route("/", files);
  }
  const health = healthOf(site);
  app.get("/healthz", (c) => health(isLocal(c.env.incoming)));
  // This is for a supervisor, which restarts a site that does not answer. A full disk is not reported here: a
  // restart does not mend it, and the site would not start again.
  app.get("/livez", (c) => c.json({ process: "ok" }));
  app.route("/", sharing(site.url, publicPaths));
  app.route("/", pictureFiles(site.pictures.values()));
  app.get("*", async (c) => {
    const response = await respond(c.req.raw, { address: addressOf(c) });
    return isDownload(response) ? sendStream(response, c.env.outgoing, readTimeoutMs) : response;
  });
  app.use(
    bodyLimit({
      maxSize: maxFormSize,
      onError: async (c) => refused(c, 413, await beginningOf(c.req.raw.body)),
    }),
  );
  app.use(async (c, next) => {
    // The body is read before the form is judged, because a refused form shows its text again.
    const form = await c.req.text();
    return isOwn(c.env.incoming, site.url) ? next() : refused(c, 403, form);
  });
  // The pings of links (HTML, "hyperlink auditing"), whose few bytes are not needed.
  app.post("/tap/:name", (c) => {
    site.counters.countTap(c.req.param("name"));
    return c.body(null, 204);
  });
  app.all("*", async (c) => {
    const form = await c.req.text();
    if (c.req.method !== "POST") {
      c.env.outgoing.setHeader("Allow", "GET, HEAD, POST");
      return refused(c, 405, form);
    }
    if (!formType.test(c.req.header("Content-Type") ?? "")) {
      return refused(c, 415, form);
    }
    const request = new Request(c.req.raw, { method: "POST", body: form });
    return respond(request, { address: addressOf(c), form });
  });
  app.onError(async (error, c) => {
    const { destroyed, complete } = c.env.incoming;
    // If not, the sender has left before the end.
    if (complete || !destroyed) {
      logFault("A request failed", error);
    }
    return refused(c, 500);
  });
  return app;
}

/**
 * Returns the beginning of a body that is too large. Reads on, up to a limit: browsers read no response
 * before they have sent all.
 */
async function beginningOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  // bodyLimit has read a body in chunks, which browsers do not send.
  if (!body || body.locked) {
    return "";
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of body) {
    if (size < maxFormSize) {
      parts.push(part);
    }
    size += part.length;
    if (size >= maxDiscarded) {
      break;
    }
  }
  return Buffer.concat(parts).toString("latin1", 0, maxFormSize);
}

function unreadable(error: unknown): Response {
  // An invalid Host header, or a method that a Request cannot have (Fetch, 2.2.1).
  if (error instanceof RequestError) {
    return new Response(null, { status: 400 });
  }
  logFault("A request failed", error);
  return new Response(null, { status: 500 });
}
