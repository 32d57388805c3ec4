import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { promisify } from "node:util";
import { brotliCompress, gzip } from "node:zlib";

interface ReadyPage {
  etag: string;
  notModified: Record<string, string>;
  variants: Record<Coding, { headers: Record<string, string | number>; body: Buffer }>;
}

type Coding = "br" | "gzip" | "identity";

/**
 * Pages that are the same bytes for every visitor without a cookie of the site, rendered
 * and compressed once. Their content changes only with a build, and so with a start.
 */
export class ReadyPages {
  readonly #pages = new Map<string, ReadyPage>();
  readonly #ownCookie: RegExp;
  readonly #visit: () => string;

  /**
   * @param cookies names whose presence means that the visitor gets a render of their own
   * @param visit gives the Set-Cookie header that says when the page was given
   */
  constructor(cookies: readonly string[], visit: () => string) {
    this.#visit = visit;
    this.#ownCookie = new RegExp(`(^|;\\s*)(${cookies.join("|")})[.=]`);
  }

  /** Renders a page and keeps it under its path and query. */
  async add(target: string, render: () => Promise<Response>, base: Record<string, string>) {
    const response = await render();
    if (!response.ok) throw new Error(`${target} cannot be made ready: status ${response.status}`);
    const html = Buffer.from(await response.arrayBuffer());
    this.#pages.set(target, await readyPage(html, { ...base, ...shared(response) }));
  }

  /** Answers if the page is a ready one; false leaves the request to the pages themselves. */
  serve(request: IncomingMessage, response: ServerResponse): boolean {
    const { method, url = "", headers } = request;
    const page = this.#pages.get(url);
    if (page === undefined || (method !== "GET" && method !== "HEAD")) return false;
    if (headers.cookie !== undefined && this.#ownCookie.test(headers.cookie)) return false;

    response.setHeader("set-cookie", this.#visit());
    if (headers["if-none-match"]?.includes(page.etag)) {
      response.writeHead(304, page.notModified).end();
      return true;
    }
    const variant = page.variants[preferredCoding(headers["accept-encoding"])];
    response.writeHead(200, variant.headers);
    response.end(method === "HEAD" ? undefined : variant.body);
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

async function readyPage(html: Buffer, headers: Record<string, string>): Promise<ReadyPage> {
  const etag = `W/"${createHash("sha256").update(html).digest("base64url").slice(0, 22)}"`;
  const common = { ...headers, etag };
  const variant = (body: Buffer, coding?: Coding) => ({
    body,
    headers: {
      ...common,
      ...(coding && { "content-encoding": coding }),
      "content-length": body.length,
    },
  });
  return {
    etag,
    notModified: common,
    variants: {
      br: variant(await promisify(brotliCompress)(html), "br"),
      gzip: variant(await promisify(gzip)(html, { level: 9 }), "gzip"),
      identity: variant(html),
    },
  };
}

/** The best coding that an Accept-Encoding header allows (RFC 9110, 12.5.3). */
export function preferredCoding(header = ""): Coding {
  if (accepts(header, "br")) return "br";
  return accepts(header, "gzip") ? "gzip" : "identity";
}

function accepts(header: string, coding: string): boolean {
  return header
    .split(",")
    .map((entry) => entry.trim().toLowerCase())
    .some((entry) => entry.startsWith(coding) && !/;\s*q=0(\.0*)?$/.test(entry));
}
