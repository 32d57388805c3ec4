import { type IncomingHttpHeaders, request as httpRequest } from "node:http";
import { newAddress } from "./address.ts";
import { newCredentials } from "./credentials.ts";
import type { RunningSite } from "./site.ts";

export { newCredentials };

const chromeOnLinux =
  "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/150.0 Safari/537.36";

/**
 * The maximum size of response headers. nginx rejects responses whose headers exceed its
 * `proxy_buffer_size`, which nginx.conf sets to 16 KiB.
 */
const longestHeaders = 14_000;

/** Returns the bytes of a status line and headers in HTTP/1.1. @param rawHeaders alternating names and values */
function headerBytes(statusText: string, rawHeaders: string[]): number {
  // Two more bytes each: ": " after a name, CRLF after a value.
  const lengths = rawHeaders.map((text) => Buffer.byteLength(text) + 2);
  return lengths.reduce((sum, length) => sum + length, `HTTP/1.1 200 ${statusText}`.length + 4);
}

export interface Answer {
  status: number;
  headers: IncomingHttpHeaders;
  text: string;
  headerBytes: number;
}

export interface Ask {
  headers?: Record<string, string>;
  /** An array is sent in chunks, without Content-Length. */
  body?: string | Buffer | Buffer[];
  /** The address of this machine that it comes from. */
  localAddress?: string;
}

/**
 * Sends a request as given, for a page or its data: any Host and Origin, no redirects. Rejects if the
 * response headers are too long for a proxy.
 */
export function ask(
  site: { url: string },
  method: string,
  path: string,
  { headers = {}, body, localAddress }: Ask = {},
): Promise<Answer> {
  const { hostname, port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    const all = { Accept: /\.data(\?|$)/.test(path) ? "*/*" : "text/html", ...headers };
    const to = { hostname, port, method, path, agent: false, localAddress };
    const request = httpRequest({ ...to, headers: all });
    request.on("error", reject);
    request.on("response", (response) => {
      const bytes = headerBytes(response.statusMessage ?? "", response.rawHeaders);
      if (bytes > longestHeaders) {
        reject(new Error(`${method} ${path}: headers of ${bytes} bytes`));
      }
      const chunks: Buffer[] = [];
      response.on("data", (chunk: Buffer) => chunks.push(chunk));
      response.on("error", reject);
      response.on("end", () => {
        const text = Buffer.concat(chunks).toString();
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          text,
          headerBytes: bytes,
        });
      });
    });
    if (Array.isArray(body)) {
      body.forEach((chunk) => request.write(chunk));
    } else if (body !== undefined) {
      request.setHeader("Content-Length", Buffer.byteLength(body));
      request.write(body);
    }
    request.end();
  });
}

/** Returns the value of a hidden field, empty if there is none. */
export const hidden = (html: string, name: string) =>
  (new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? "").replaceAll("&amp;", "&");

/** Simulates a browser: an address, cookies, and the headers of a form post. */
export class Visitor {
  readonly address = newAddress();
  readonly cookies = new Map<string, string>();
  readonly #site: Pick<RunningSite, "url">;
  readonly #origin: string | undefined;

  /** @param origin the site's origin in the browser, if a proxy changes it */
  constructor(site: Pick<RunningSite, "url">, origin?: string) {
    this.#site = site;
    this.#origin = origin;
  }

  get(path: string, headers: Record<string, string> = {}): Promise<Answer> {
    return this.#ask("GET", path, { headers });
  }

  /** Submits a form. */
  post(
    path: string,
    form: Record<string, string> | [name: string, value: string][] = {},
    headers: Record<string, string> = {},
  ): Promise<Answer> {
    return this.#ask("POST", path, {
      headers: {
        Origin: this.#origin ?? this.#site.url,
        "Content-Type": "application/x-www-form-urlencoded",
        ...headers,
      },
      body: new URLSearchParams(form).toString(),
    });
  }

  /** Returns the session in the session cookie. Throws if there is none. */
  session(): { access_token: string; refresh_token: string; expires_at: number } {
    const value = this.sessionCookies()
      .map(([, part]) => part)
      .join("");
    if (!value) {
      throw new Error("There is no session cookie.");
    }
    return JSON.parse(decodeURIComponent(value));
  }

  /** Replaces the session in the session cookie. */
  setSession(session: object): void {
    const old = this.sessionCookies().map(([name]) => name);
    old.forEach((name) => this.cookies.delete(name));
    const [name = "session"] = old[0]?.split(".") ?? [];
    const text = Buffer.from(JSON.stringify(session)).toString("base64url");
    this.cookies.set(name, `base64-${text}`);
  }

  sessionCookies(): [string, string][] {
    return Array.from(this.cookies)
      .filter(([name]) => /^(__Host-)?session(\.\d+)?$/.test(name))
      .toSorted();
  }

  cookieHeader(): string {
    return Array.from(this.cookies, ([name, value]) => `${name}=${value}`).join("; ");
  }

  async #ask(method: string, path: string, { headers, body }: Ask): Promise<Answer> {
    const cookie = this.cookieHeader();
    const answer = await ask(this.#site, method, path, {
      headers: {
        "X-Forwarded-For": this.address,
        "User-Agent": chromeOnLinux,
        ...(cookie && { Cookie: cookie }),
        ...headers,
      },
      ...(body !== undefined && { body }),
    });
    for (const header of answer.headers["set-cookie"] ?? []) {
      this.#keep(header);
    }
    return answer;
  }

  #keep(header: string): void {
    const [pair = "", ...attributes] = header.split(/;\s*/);
    const [name = "", value = ""] = [
      pair.slice(0, pair.indexOf("=")),
      pair.slice(pair.indexOf("=") + 1),
    ];
    const isGone = attributes.some((attribute) => /^max-age=0$/i.test(attribute));
    if (isGone) {
      this.cookies.delete(name);
    } else {
      this.cookies.set(name, value);
    }
  }
}

/** Signs up a new visitor. Confirmation must be off. */
export async function signedUp(
  site: Pick<RunningSite, "url">,
  credentials = newCredentials(),
  origin?: string,
) {
  const visitor = new Visitor(site, origin);
  await signUp(visitor, credentials);
  return Object.assign(visitor, { credentials });
}

/** Makes a visitor's account. Confirmation must be off. */
export async function signUp(
  visitor: Visitor,
  credentials: ReturnType<typeof newCredentials>,
): Promise<void> {
  const { status } = await visitor.post("/auth?mode=sign-up", credentials);
  if (status !== 302) {
    throw new Error(`The sign-up failed: status ${status}`);
  }
}

/** Signs in, as in another browser. The account has no second factor, or the code is to be given. */
export async function signedIn(
  site: Pick<RunningSite, "url">,
  credentials: ReturnType<typeof newCredentials>,
): Promise<Visitor> {
  const visitor = new Visitor(site);
  const { status } = await visitor.post("/auth", credentials);
  if (status !== 302) {
    throw new Error(`The sign-in failed: status ${status}`);
  }
  return visitor;
}
