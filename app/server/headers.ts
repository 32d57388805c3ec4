import type { ServerResponse } from "node:http";

/**
 * Headers of every answer, whatever it is, in lower case as fetch has them. The
 * Content-Security-Policy of pages is made with the page (entry.server.tsx); this one is for all
 * that is not a page.
 * Referrer-Policy: `no-referrer` would make browsers post forms with `Origin: null`.
 */
export function baseHeaders(secure: boolean): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
    // Nearly every answer depends on the session: what may be kept says so itself.
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
    "referrer-policy": "strict-origin-when-cross-origin",
    "permissions-policy":
      "camera=(), microphone=(), geolocation=(), payment=(), usb=(), browsing-topics=()",
    "cross-origin-opener-policy": "same-origin",
    ...(secure && { "strict-transport-security": "max-age=63072000" }),
  };
}

/** Those that mean something to a browser only with a page: no script needs their half kilobyte. */
export const pageHeaders = [
  "content-security-policy",
  "x-frame-options",
  "referrer-policy",
  "permissions-policy",
  "cross-origin-opener-policy",
];

/** Sets them as defaults: what the page itself says about a header wins. */
export function setBaseHeaders(response: ServerResponse, headers: Record<string, string>): void {
  for (const name in headers) {
    response.setHeader(name, headers[name] ?? "");
  }
}
