import { hash } from "node:crypto";
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from "node:http";
import {
  byEncoding,
  compress,
  type Encoding,
  preferredEncoding,
} from "#app/document/compression.server.ts";
import type { TimingHeader } from "#app/session/form-timing.server.ts";

interface Parts {
  render(): Promise<Response>;
  /** The default headers of every response. */
  headers: Record<string, string>;
  /** Requests with one of these cookies are rendered. */
  cookies: readonly string[];
  timing: TimingHeader;
  onView(headers: IncomingHttpHeaders): void;
}

interface Kept {
  /** With quotes. */
  tag: string;
  /** [name, value, name, value, …], as Node's writeHead takes them. */
  headers: string[];
  variants: Record<Encoding, { headers: string[]; body: Buffer }>;
}

/** The contact page as bytes, which are the same for all visitors without a session or toast. */
export class ContactPage {
  readonly #parts: Parts;
  readonly #ownCookie: RegExp;
  #page: Kept | undefined;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#ownCookie = new RegExp(`(^|;\\s*)(${parts.cookies.join("|")})[.=]`);
  }

  /** Renders the page. It may name the day and an absence, which pass. */
  async renew(): Promise<void> {
    this.#page = await keep(await this.#parts.render(), this.#parts.headers);
  }

  /** Answers a request for the page; returns false for others. */
  answer(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = "", headers } = request;
    const page = this.#page;
    if (!page || !isPage(url) || (method !== "GET" && method !== "HEAD")) {
      return false;
    }
    if (headers.cookie !== undefined && this.#ownCookie.test(headers.cookie)) {
      return false;
    }
    if (method === "GET") {
      this.#parts.onView(headers);
    }
    const cookie = this.#parts.timing(headers.cookie);
    if (cookie instanceof Promise) {
      void cookie.then((signed) => send(page, request, response, signed));
    } else {
      send(page, request, response, cookie);
    }
    return true;
  }
}

/** Whether a target is the page. Its route reads `sent` alone: links of others add names of their own. */
const isPage = (target: string): boolean =>
  target === "/" || (target.startsWith("/?") && !new URLSearchParams(target.slice(2)).has("sent"));

async function keep(response: Response, base: Record<string, string>): Promise<Kept> {
  if (!response.ok) {
    throw new Error(`The contact page has the status ${response.status}`);
  }
  const html = Buffer.from(await response.arrayBuffer());
  const tag = `"${hash("sha256", html, "base64url").slice(0, 22)}"`;
  // It is the visitor's own, and comes with each answer.
  response.headers.delete("set-cookie");
  const headers = Object.entries({
    ...base,
    ...Object.fromEntries(response.headers),
    vary: "Accept-Encoding, Cookie",
    // Weak: all encodings share it (RFC 9110, 8.8.1).
    etag: `W/${tag}`,
  }).flat();
  const bodies = {
    br: await compress(html, "br"),
    gzip: await compress(html, "gzip"),
    identity: html,
  };
  const variants = byEncoding((encoding) => {
    const body = bodies[encoding];
    const own = encoding === "identity" ? [] : ["content-encoding", encoding];
    return { body, headers: [...headers, ...own, "content-length", String(body.length)] };
  });
  return { tag, headers, variants };
}

function send(
  { tag, headers: common, variants }: Kept,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  cookie: string | undefined,
): void {
  const extra = cookie === undefined ? [] : ["set-cookie", cookie];
  const known = headers["if-none-match"];
  if (known === "*" || known?.includes(tag)) {
    response.writeHead(304, [...common, ...extra]).end();
    return;
  }
  const variant = variants[preferredEncoding(headers["accept-encoding"])];
  response.writeHead(200, [...variant.headers, ...extra]);
  response.end(method === "HEAD" ? undefined : variant.body);
}
