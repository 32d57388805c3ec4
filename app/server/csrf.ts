import type { IncomingMessage } from "node:http";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request's method is safe (RFC 9110, 9.2.1). */
export function isSafe({ method = "" }: IncomingMessage): boolean {
  return safeMethods.has(method);
}

/**
 * Whether a request may change something, by Origin and Sec-Fetch-Site. One without them is not a
 * browser's: it passes without cookies only.
 */
export function isOwnRequest(request: IncomingMessage, siteUrl: URL): boolean {
  if (isSafe(request)) {
    return true;
  }
  const { origin, referer, cookie } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") {
    return false;
  }
  const from = origin ?? referer;
  if (from === undefined) {
    return site === "same-origin" || cookie === undefined;
  }
  return isOwnOrigin(from, request, siteUrl);
}

/** Only Origin keeps other sites from opening a socket with the cookies (RFC 6455, 10.2). */
export function isOwnSocket(request: IncomingMessage, siteUrl: URL): boolean {
  const { origin } = request.headers;
  return origin !== undefined && isOwnOrigin(origin, request, siteUrl);
}

/** @param from an origin, or an address whose origin counts */
function isOwnOrigin(from: string, { headers }: IncomingMessage, siteUrl: URL): boolean {
  if (!URL.canParse(from)) {
    return false;
  }
  const { host, protocol } = new URL(from);
  if (siteUrl.protocol === "https:" && protocol !== "https:") {
    return false;
  }
  return host === siteUrl.host || host === headers.host;
}

export function isCrossSite({ headers }: IncomingMessage): boolean {
  return headers["sec-fetch-site"] !== undefined && headers["sec-fetch-site"] !== "same-origin";
}

const maxOrigins = 20;
const maxLength = 200;

/** Logs each origin of refused forms once: mostly it is the site at another address than SITE_URL. */
export function refusedOriginLog(siteUrl: URL, log: (line: string) => void) {
  const known = new Set<string>();
  return ({ headers }: IncomingMessage): void => {
    const from = URL.parse(headers.origin ?? headers.referer ?? "")?.origin.slice(0, maxLength);
    if (from === undefined || from === "null" || known.has(from) || known.size === maxOrigins) {
      return;
    }
    known.add(from);
    log(
      `A form from ${from} was refused, because SITE_URL is ${siteUrl.origin}. If visitors open the site at ${from}, set SITE_URL to that address, or let the proxy pass their Host header on.`,
    );
  };
}
