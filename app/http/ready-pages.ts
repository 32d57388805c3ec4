import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { type Coding, encode, preferredCoding } from "./coding.ts";

interface ReadyPage {
  etag: string;
  /** Names and values in turns, which Node sends as they are. */
  notModified: string[];
  variants: Record<Coding, { headers: string[]; body: Buffer }>;
}

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

    if (headers["if-none-match"]?.includes(page.etag)) {
      response.writeHead(304, [...page.notModified, "set-cookie", this.#visit()]).end();
      return true;
    }
    const variant = page.variants[preferredCoding(headers["accept-encoding"])];
    response.writeHead(200, [...variant.headers, "set-cookie", this.#visit()]);
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
  const common = Object.entries({ ...headers, etag }).flat();
  const variant = async (coding: Coding) => {
    const body = await encode(html, coding);
    const own = coding === "identity" ? [] : ["content-encoding", coding];
    return { body, headers: [...common, ...own, "content-length", String(body.length)] };
  };
  return {
    etag,
    notModified: common,
    variants: {
      br: await variant("br"),
      gzip: await variant("gzip"),
      identity: await variant("identity"),
    },
  };
}
