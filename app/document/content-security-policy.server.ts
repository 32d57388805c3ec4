import { hash } from "node:crypto";

// JSON-LD is data (HTML, 4.12.1: "data block"): browsers run none, and ask no policy about it.
const inlineScripts = /<script(?! type="application\/ld)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const inlineStyles = /<style[^>]*>([\s\S]*?)<\/style>/g;

/** The page's own inline scripts and styles by hash, and files of the site (CSP 3). */
export function contentSecurityPolicy(html: string, siteUrl: URL): string {
  // In Safari before 15.4, 'self' does not cover the site's own sockets.
  const socket = siteUrl.origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes(html, inlineScripts)}`,
    `style-src ${hashes(html, inlineStyles)}`,
    "img-src 'self' data:",
    `connect-src 'self' ${socket}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashes(html: string, elements: RegExp): string {
  const codes = new Set(Array.from(html.matchAll(elements), ([, code = ""]) => code));
  return Array.from(codes, (code) => sha256(code)).join(" ");
}

function sha256(code: string): string {
  return `'sha256-${hash("sha256", code, "base64")}'`;
}
