import { hash } from "node:crypto";
import { type Sheet, sheets } from "./style-sheets.ts";

// JSON-LD is data (HTML, 4.12.1: "data block"): browsers run none, and ask no policy about it.
const inlineScripts = /<script(?! type="application\/ld)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

const styles: Record<Sheet, string> = {
  admin: sha256(sheets.admin),
  home: sha256(sheets.home),
  site: sha256(sheets.site),
};

/**
 * The inline scripts of a page's parts and its style sheet by hash, and files of the site (CSP 3). A
 * page is not put together for this: each copy of a full board takes a tenth of a millisecond.
 */
export function contentSecurityPolicy(parts: string[], sheet: Sheet, siteUrl: URL): string {
  // In Safari before 15.4, 'self' does not cover the site's own sockets.
  const socket = siteUrl.origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes(parts)}`,
    `style-src ${styles[sheet]}`,
    "img-src 'self' data:",
    `connect-src 'self' ${socket}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashes(parts: string[]): string {
  const found = parts.flatMap((part) => [...part.matchAll(inlineScripts)]);
  const codes = new Set(found.map(([, code = ""]) => code));
  return Array.from(codes, (code) => sha256(code)).join(" ");
}

function sha256(code: string): string {
  return `'sha256-${hash("sha256", code, "base64")}'`;
}
