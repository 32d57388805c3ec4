import { hash } from "node:crypto";

const inlineScripts = /<script(?![^>]*\ssrc=)[^>]*>([\s\S]*?)<\/script>/g;
const inlineStyles = /<style[^>]*>([\s\S]*?)<\/style>/g;

/**
 * The policy of one finished page: its own inline scripts and styles by hash, files of
 * the site, nothing else (CSP 3, https://www.w3.org/TR/CSP3/).
 * @param supabaseUrl where the live inbox connects to, if that is not the site itself
 */
export function contentSecurityPolicy(html: string, supabaseUrl: string): string {
  const socket = supabaseUrl && ` ${new URL(supabaseUrl).origin.replace(/^http/, "ws")}`;
  return [
    "default-src 'none'",
    `script-src 'self' ${hashes(html, inlineScripts)}`,
    `style-src ${hashes(html, inlineStyles)}`,
    "img-src 'self' data:",
    `connect-src 'self'${socket}`,
    "manifest-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}

function hashes(html: string, pattern: RegExp): string {
  const codes = new Set(Array.from(html.matchAll(pattern), ([, code = ""]) => code));
  return Array.from(codes, (code) => `'sha256-${hash("sha256", code, "base64")}'`).join(" ");
}
