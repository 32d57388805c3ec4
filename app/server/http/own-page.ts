import type { IncomingMessage } from "node:http";
import { isIP } from "node:net";

/**
 * The site's origin at the address that a request used: SITE_URL or, without HTTPS, Host, if that is an IP
 * address or localhost. Any page gets this machine's address for a name of its own (DNS rebinding), and
 * would sign up and read an inbox without an owner.
 */
export function originOf({ headers: { host } }: IncomingMessage, siteUrl: URL): string {
  const used = siteUrl.protocol === "http:" ? URL.parse(`http://${host}`) : null;
  return used && hasNoName(used) ? used.origin : siteUrl.origin;
}

const hasNoName = ({ hostname }: URL): boolean =>
  hostname === "localhost" || isIP(hostname.replaceAll(/[[\]]/g, "")) !== 0;

/**
 * Whether a page of this site sent a form, or opens a socket (RFC 6455, 10.2). A message that says nothing
 * of its page is accepted too, from old browsers and behind some proxies: it has no account's rights.
 */
export function isOwn(request: IncomingMessage, siteUrl: URL): boolean {
  const { headers, method, url = "" } = request;
  const site = headers["sec-fetch-site"];
  if (site === "cross-site" || site === "same-origin") {
    return site === "same-origin";
  }
  const own = new Set<string | undefined>([siteUrl.origin, originOf(request, siteUrl)]);
  if (siteUrl.protocol === "https:") {
    // No other page has a certificate for a name that leads here.
    own.add(`https://${headers.host}`);
  }
  if (headers.origin !== undefined || site !== undefined) {
    return own.has(headers.origin);
  }
  const isMessage = method === "POST" && /^\/(\?|$)/.test(url);
  const { referer } = headers;
  return isMessage && (referer === undefined || own.has(URL.parse(referer)?.origin));
}

/** Whether a refused form is the visitor's own text: what a page of another site sends is not. */
export function isVisitorsText({ headers }: IncomingMessage): boolean {
  const site = headers["sec-fetch-site"];
  const { host } = URL.parse(headers.origin ?? "") ?? {};
  return site === undefined
    ? host !== undefined && host === headers.host
    : site === "same-origin" || site === "none";
}
