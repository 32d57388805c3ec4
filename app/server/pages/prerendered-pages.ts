import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import { compress } from "#app/document/compression.server.ts";
import type { TimingHeader } from "#app/session/form-timing.server.ts";
import { type CachedResponse, cachedResponse, sendCached } from "./cached-response.ts";

/** The query parameters that these pages' routes read. Others, such as utm_source, are ignored. */
export const queryNames: ReadonlySet<string> = new Set(["sent"]);

// A longer one is rendered or refused.
const longestTarget = 2048;

/** What comes with the page at "/". */
interface ContactPage {
  timing: TimingHeader;
  onView(headers: IncomingHttpHeaders): void;
}

/** Pages that are the same for all visitors without a session or toast, compressed at the start. */
export class PrerenderedPages {
  readonly #pages = new Map<string, CachedResponse>();
  readonly #ownCookie: RegExp;
  readonly #contact: ContactPage;

  /** @param cookies requests with one of these are not served from here */
  constructor(cookies: readonly string[], contact: ContactPage) {
    this.#contact = contact;
    this.#ownCookie = new RegExp(`(^|;\\s*)(${cookies.join("|")})[.=]`);
  }

  /** @param target path and query */
  async add(
    target: string,
    render: () => Promise<Response>,
    base: Record<string, string>,
  ): Promise<void> {
    const response = await render();
    if (!response.ok) {
      throw new Error(`${target} cannot be prerendered: status ${response.status}`);
    }
    const html = Buffer.from(await response.arrayBuffer());
    const bodies = {
      br: await compress(html, "br"),
      gzip: await compress(html, "gzip"),
      identity: html,
    };
    this.#pages.set(keyOf(target), cachedResponse(bodies, { ...base, ...shared(response) }));
  }

  /** Answers a request for one of the pages; returns false for others. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = "", headers } = request;
    const key = url.length > longestTarget ? "" : keyOf(url);
    const page = this.#pages.get(key);
    if (page === undefined || (method !== "GET" && method !== "HEAD")) {
      return false;
    }
    if (headers.cookie !== undefined && this.#ownCookie.test(headers.cookie)) {
      return false;
    }
    const send = (cookie?: string) =>
      sendCached(page, request, response, cookie === undefined ? [] : ["set-cookie", cookie]);
    if (key === "/" && method === "GET") {
      this.#contact.onView(headers);
    }
    const cookie = key === "/" ? this.#contact.timing(headers.cookie) : undefined;
    if (cookie instanceof Promise) {
      void cookie.then(send);
    } else {
      send(cookie);
    }
    return true;
  }
}

/** A path and query without the parameters that no route reads. */
function keyOf(target: string): string {
  const start = target.indexOf("?");
  if (start < 0) {
    return target;
  }
  const query = [...new URLSearchParams(target.slice(start))].filter(([name]) =>
    queryNames.has(name),
  );
  const path = target.slice(0, start);
  return query.length > 0 ? `${path}?${new URLSearchParams(query)}` : path;
}

function shared(response: Response): Record<string, string> {
  // A visitor's own, which comes with each answer.
  response.headers.delete("set-cookie");
  return {
    ...Object.fromEntries(response.headers),
    "cache-control": "private, no-cache",
    vary: "Accept-Encoding, Cookie",
  };
}
