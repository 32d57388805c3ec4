import type { IncomingMessage } from "node:http";

const safeMethods = new Set(["GET", "HEAD", "OPTIONS"]);

/** Whether a request asks for nothing to be changed (RFC 9110, 9.2.1). */
export function isSafe({ method = "" }: IncomingMessage): boolean {
  return safeMethods.has(method);
}

/**
 * Whether a request may change something: false for one that another site made the
 * visitor's browser send. Browsers state where a POST comes from in Origin (and
 * Sec-Fetch-Site); one that states nothing is not a browser's, and is let through only
 * without cookies, so that there is nothing to ride on.
 */
export function isOwnRequest(request: IncomingMessage, siteUrl: URL): boolean {
  if (isSafe(request)) return true;
  const { origin, referer, cookie, host } = request.headers;
  const site = request.headers["sec-fetch-site"];
  if (site !== undefined && site !== "same-origin") return false;
  const from = origin ?? referer;
  if (from === undefined) return site === "same-origin" || cookie === undefined;
  if (!URL.canParse(from)) return false;
  const { host: fromHost, protocol } = new URL(from);
  if (siteUrl.protocol === "https:" && protocol !== "https:") return false;
  return fromHost === siteUrl.host || fromHost === host;
}
