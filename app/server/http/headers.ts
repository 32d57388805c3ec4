import type { ServerResponse } from "node:http";

/**
 * Default headers of every response, in lower case. Pages replace the Content-Security-Policy
 * (entry.server.tsx). With `no-referrer`, browsers would post forms with `Origin: null`.
 */
export function baseHeaders(secure: boolean): Record<string, string> {
  return {
    "content-security-policy": "default-src 'none'; frame-ancestors 'none'",
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

/** The default headers that only matter for pages. */
export const pageHeaders = [
  "content-security-policy",
  "x-frame-options",
  "referrer-policy",
  "permissions-policy",
  "cross-origin-opener-policy",
];

/** Sets default headers, which the response may replace. */
export function setBaseHeaders(response: ServerResponse, headers: Record<string, string>): void {
  for (const name in headers) {
    response.setHeader(name, headers[name] ?? "");
  }
}
