import { hash } from "node:crypto";
import styleSheet from "#app/app.css?inline";

const inlineScripts = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
// The one style element of every page.
const styleHash = sha256(styleSheet);

/** The page's own inline scripts and styles by hash, and files of the site (CSP 3). */
export function contentSecurityPolicy(html: string, siteUrl: URL): string {
  // In Safari before 15.4, 'self' does not cover the site's own sockets.
  const socket = siteUrl.origin.replace(/^http/, "ws");
  return [
    "default-src 'none'",
    `script-src 'self' ${scriptHashes(html)}`,
    `style-src ${styleHash}`,
    "img-src 'self' data:",
    `connect-src 'self' ${socket}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function scriptHashes(html: string): string {
  const codes = new Set(Array.from(html.matchAll(inlineScripts), ([, code = ""]) => code));
  return Array.from(codes, (code) => sha256(code)).join(" ");
}

function sha256(code: string): string {
  return `'sha256-${hash("sha256", code, "base64")}'`;
}
