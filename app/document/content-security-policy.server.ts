import { hash } from "node:crypto";

// JSON-LD is data (HTML, 4.12.1: "data block"): browsers run none, and ask no policy about it.
const inlineScripts = /<script(?! type="application\/ld)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const inlineStyles = /<style[^>]*>([\s\S]*?)<\/style>/g;

/**
 * The inline scripts and styles of a page's parts by hash, and files of the site (CSP 3). A page is
 * not put together for this: each copy of a full board takes a tenth of a millisecond.
 */
export function contentSecurityPolicy(parts: string[], siteUrl: URL): string {
  // In Safari before 15.4, 'self' does not cover the site's own sockets.
  const socket = siteUrl.origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes(parts, inlineScripts)}`,
    `style-src ${hashes(parts, inlineStyles)}`,
    "img-src 'self' data:",
    `connect-src 'self' ${socket}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashes(parts: string[], elements: RegExp): string {
  const found = parts.flatMap((part) => [...part.matchAll(elements)]);
  const codes = new Set(found.map(([, code = ""]) => code));
  return Array.from(codes, (code) => sha256(code)).join(" ");
}

function sha256(code: string): string {
  return `'sha256-${hash("sha256", code, "base64")}'`;
}
