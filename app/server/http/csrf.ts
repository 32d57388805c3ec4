import type { IncomingMessage } from "node:http";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request's method is safe (RFC 9110, 9.2.1). */
export function isSafe({ method = "" }: IncomingMessage): boolean {
  return safeMethods.has(method);
}

/**
 * Whether Origin and Sec-Fetch-Site show that a form comes from this site. Without these headers it is
 * not a browser's, and passes only without cookies.
 */
export function isOwnRequest(request: IncomingMessage, siteUrl: URL): boolean {
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

/** Whether a WebSocket comes from this site. Only Origin shows that (RFC 6455, 10.2). */
export function isOwnSocket(request: IncomingMessage, siteUrl: URL): boolean {
  return isOwnOrigin(request.headers.origin ?? "", request, siteUrl);
}

/** @param from an origin, or a URL whose origin is compared */
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

/**
 * Warns once when a form came from an HTTPS address that is not SITE_URL's: such a site seems to work,
 * but its cookies are not Secure and its mails lead elsewhere.
 */
export function otherAddressLog(siteUrl: URL, log: (line: string) => void) {
  let wasLogged = false;
  return ({ headers }: IncomingMessage): void => {
    const from = URL.parse(headers.origin ?? "");
    if (wasLogged || from?.protocol !== "https:" || from.origin === siteUrl.origin) {
      return;
    }
    wasLogged = true;
    log(
      `Visitors open the site at ${from.origin.slice(0, maxLength)}, but SITE_URL is ${siteUrl.origin}: links in mails lead there, and cookies and backups are made for it. Set SITE_URL to the address that visitors use.`,
    );
  };
}

/** Logs each origin of refused forms once. Usually SITE_URL is not the address that visitors use. */
export function refusedOriginLog(siteUrl: URL, log: (line: string) => void) {
  const known = new Set<string>();
  return ({ headers }: IncomingMessage): void => {
    const from = URL.parse(headers.origin ?? headers.referer ?? "")?.origin.slice(0, maxLength);
    // A form of the site's own origin was refused for another reason (Sec-Fetch-Site).
    const isOther = from !== undefined && from !== "null" && from !== siteUrl.origin;
    if (!isOther || known.has(from) || known.size === maxOrigins) {
      return;
    }
    known.add(from);
    log(
      `A form from ${from} was refused, because SITE_URL is ${siteUrl.origin}. If visitors open the site at ${from}, set SITE_URL to that address, or let the proxy pass their Host header on.`,
    );
  };
}
