import type { IncomingMessage, RequestListener } from "node:http";
import { getRequestListener, type HttpBindings, RequestError } from "@hono/node-server";
import { type Context, Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { acceptsPage } from "#app/lib/accepts-page.ts";
import { log, logFault } from "#app/lib/log.server.ts";
import { busyPage } from "#app/server/pages/busy-page.ts";
import type { Pages } from "#app/server/pages/pages.ts";
import { pictureFiles } from "#app/server/pages/pictures.ts";
import { sharing } from "#app/server/sharing/sharing.ts";
import type { Site } from "#app/site-contract.server.ts";
import { readChunks } from "./chunked-body.ts";
import { isLocal } from "./client-address.ts";
import { isCrossSite, isOwnRequest, isSafe, otherAddressLog, refusedOriginLog } from "./csrf.ts";
import { formBytesLimit } from "./form-bytes.ts";
import { baseHeaders, setBaseHeaders } from "./headers.ts";
import { health } from "./health.ts";
import { hasOneHost, requestTarget, undecoded } from "./request-target.ts";
import { isDownload, readTimeoutMs, sendStream } from "./send-stream.ts";

interface Parts extends Pages {
  site: Site;
  clientAddress(request: IncomingMessage): string;
}

interface Bound {
  Bindings: HttpBindings;
}

const formType = /^application\/x-www-form-urlencoded\s*(;|$)/i;
// The selected messages of two pages of the board.
const maxFields = 110;
// A message of 5,000 characters takes at most 45 kB. A longer one is refused with its text kept.
const maxFormSize = 512 * 1024;
const maxDiscarded = 8 * 1024 * 1024;
const maxTargetLength = 8 * 1024;
const maxCookies = 100;

export function createRequestListener(parts: Parts): RequestListener {
  const { site, cached, sources, clientAddress } = parts;
  const headers = baseHeaders(site.secure);
  const app = createApp(parts);
  const mayHold = formBytesLimit();
  const respond = getRequestListener(
    (request, bindings) => app.fetch(request, bindings as HttpBindings),
    { errorHandler: unreadable },
  );

  return (request, response) => {
    if (hasOneHost(request) && cached(request, response)) {
      return;
    }
    setBaseHeaders(response, headers);
    const target = requestTarget(request, site.url.origin);
    if (target === undefined) {
      response.writeHead(400, { Connection: "close" }).end();
      return;
    }
    if (!mayHold(clientAddress(request), request, response)) {
      response.writeHead(503, { ...busyPage.headers, Connection: "close" }).end(busyPage.html);
      request.resume();
      return;
    }
    // All later code sees the normalised path.
    request.url = target;
    const answer = () => {
      request.url = undecoded(target);
      void respond(request, response);
    };
    const begin = () => (sources ? sources(request, response, answer) : answer());
    if (request.headers["transfer-encoding"] === undefined) {
      begin();
      return;
    }
    void readChunks(request).then((isTaken) =>
      isTaken ? begin() : response.writeHead(400, { Connection: "close" }).end(),
    );
  };
}

function createApp({ site, handle, refuse, clientAddress }: Parts) {
  const app = new Hono<Bound>();
  const addressOf = (c: Context<Bound>) => clientAddress(c.env.incoming);
  const logRefused = refusedOriginLog(site.url, log.warn);
  const logOther = otherAddressLog(site.url, log.warn);

  const refused = (c: Context<Bound>, status: number, form = "") =>
    refuse(status, {
      address: addressOf(c),
      path: c.req.path,
      form,
      accept: c.req.header("Accept"),
    });
  const onError = async (c: Context<Bound>) => {
    await discard(c.req.raw.body);
    return refused(c, 413);
  };

  const limitForm = bodyLimit({ maxSize: maxFormSize, onError });

  const unknownMethod = (c: Context<Bound>, form?: string) => {
    c.env.outgoing.setHeader("Allow", "GET, HEAD, POST");
    return refused(c, 405, form);
  };
  // A Request cannot have this method (Fetch, 2.2.1).
  app.on("TRACE", "*", (c) => unknownMethod(c));
  app.get("/healthz", (c) => health(site, isLocal(c.env.incoming)));
  // For those who restart what does not answer: a restart mends no full disk, and would not start.
  app.get("/livez", (c) => c.json({ process: "ok" }));
  app.route("/", sharing(site.url));
  app.route("/", pictureFiles(site.pictures.values()));
  // The pings of links (HTML, "hyperlink auditing"), whose few bytes say nothing that is needed.
  app.post("/tap/:name", bodyLimit({ maxSize: 1024, onError }), (c) => {
    if (!isOwnRequest(c.env.incoming, site.url)) {
      return c.body(null, 403);
    }
    site.counters.countTap(c.req.param("name"));
    return c.body(null, 204);
  });
  app.use(async (c, next) => {
    if ((c.env.incoming.url ?? "").length > maxTargetLength) {
      return refused(c, 414);
    }
    if (exceeds(c.env.incoming.headers.cookie, ";", maxCookies)) {
      return refused(c, 431);
    }
    if (isSafe(c.env.incoming)) {
      const response = await handle(c.req.raw, { address: addressOf(c) });
      // A download that did not begin. A browser would show a page of its own.
      if (response.status === 503 && !response.body && acceptsPage(c.req.header("Accept"))) {
        // With its cookies: a session may have been renewed.
        const page = new Response(busyPage.html, response);
        Object.entries(busyPage.headers).forEach(([name, value]) => page.headers.set(name, value));
        return page;
      }
      return isDownload(response) ? sendStream(response, c.env.outgoing, readTimeoutMs) : response;
    }
    return limitForm(c, next);
  });
  app.all("*", async (c) => {
    const { incoming } = c.env;
    const isForm = formType.test(incoming.headers["content-type"] ?? "");
    const form = isForm && !isCrossSite(incoming) ? await c.req.text() : "";
    if (exceeds(form, "&", maxFields)) {
      return refused(c, 400);
    }
    if (!isOwnRequest(incoming, site.url)) {
      logRefused(incoming);
      return refused(c, 403, form);
    }
    if (incoming.method !== "POST") {
      return unknownMethod(c, form);
    }
    if (!isForm) {
      return refused(c, 415);
    }
    logOther(incoming);
    const request = new Request(c.req.raw, { method: "POST", body: form });
    return handle(request, { address: addressOf(c), form });
  });
  app.onError((error, c) => {
    const { destroyed, complete } = c.env.incoming;
    // Else its sender has gone on the way.
    if (complete || !destroyed) {
      logFault("A request failed", error);
    }
    return refused(c, 500);
  });
  return app;
}

/** Reads a rejected body, up to a limit: browsers read no response before they have sent all. */
async function discard(body: ReadableStream<Uint8Array> | null) {
  // A chunked body was already read.
  const reader = body?.locked ? undefined : body?.getReader();
  let size = 0;
  let part = await reader?.read();
  while (part?.value && size < maxDiscarded) {
    size += part.value.length;
    part = await reader?.read();
  }
}

/** Whether a text has more than `most` parts. */
const exceeds = (text = "", separator: string, most: number): boolean =>
  text.split(separator, most + 1).length > most;

function unreadable(error: unknown): Response {
  // An invalid Host header, or a method that a Request cannot have (Fetch, 2.2.1).
  if (error instanceof RequestError) {
    return new Response(null, { status: 400 });
  }
  logFault("A request failed", error);
  return new Response(null, { status: 500 });
}
