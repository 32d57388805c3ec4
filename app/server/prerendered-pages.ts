import type { IncomingMessage, ServerResponse } from "node:http";
import type { VisitHeader } from "#app/session/form-timing.server.ts";
import { encode } from "#app/document/compression.server.ts";
import { type ReadyAnswer, readyAnswer, sendReady } from "./cached-response.ts";

/**
 * Pages that are the same bytes for every visitor without a cookie of the site, rendered
 * and compressed once. Their content changes only with a build, and so with a start.
 */
export class ReadyPages {
  readonly #pages = new Map<string, ReadyAnswer>();
  readonly #ownCookie: RegExp;
  readonly #visit: VisitHeader;

  /**
   * @param cookies names whose presence means that the visitor gets a render of their own
   * @param visit gives the Set-Cookie header of the page with the form
   */
  constructor(cookies: readonly string[], visit: VisitHeader) {
    this.#visit = visit;
    this.#ownCookie = new RegExp(`(^|;\\s*)(${cookies.join("|")})[.=]`);
  }

  /** Renders a page and keeps it under its path and query. */
  async add(target: string, render: () => Promise<Response>, base: Record<string, string>) {
    const response = await render();
    if (!response.ok) {
      throw new Error(`${target} cannot be made ready: status ${response.status}`);
    }
    const html = Buffer.from(await response.arrayBuffer());
    const bodies = {
      br: await encode(html, "br"),
      gzip: await encode(html, "gzip"),
      identity: html,
    };
    this.#pages.set(target, readyAnswer(bodies, { ...base, ...shared(response) }));
  }

  /** Answers if the page is a ready one; false leaves the request to the pages themselves. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = "", headers } = request;
    const page = this.#pages.get(url);
    if (page === undefined || (method !== "GET" && method !== "HEAD")) {
      return false;
    }
    if (headers.cookie !== undefined && this.#ownCookie.test(headers.cookie)) {
      return false;
    }
    const send = (visit?: string) =>
      sendReady(page, request, response, visit === undefined ? [] : ["set-cookie", visit]);
    const visit = url === "/" ? this.#visit(headers.cookie) : undefined;
    if (visit instanceof Promise) {
      void visit.then(send);
    } else {
      send(visit);
    }
    return true;
  }
}

function shared(response: Response): Record<string, string> {
  return {
    ...Object.fromEntries(response.headers),
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Cookie",
  };
}
