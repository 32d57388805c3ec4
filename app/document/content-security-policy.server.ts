import { hash } from "node:crypto";
import { inlined, type Sheet } from "./style-sheets.ts";

// JSON-LD is data (HTML, 4.12.1: "data block"): browsers run none, and ask no policy about it.
const inlineScripts = /<script(?! type="application\/ld)(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;

const styles: Record<Sheet, string> = {
  board: "'self'",
  home: sha256(inlined.home),
  site: sha256(inlined.site),
};

/** The inline scripts and styles of a page by hash, and files of the site (CSP 3). */
export function contentSecurityPolicy(page: string, sheet: Sheet): string {
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes(page)}`,
    `style-src ${styles[sheet]}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashes(page: string): string {
  const codes = new Set(Array.from(page.matchAll(inlineScripts), ([, code = ""]) => code));
  return Array.from(codes, (code) => sha256(code)).join(" ");
}

function sha256(code: string): string {
  return `'sha256-${hash("sha256", code, "base64")}'`;
}
