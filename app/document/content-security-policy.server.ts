import { hash } from "node:crypto";
import home from "#app/routes/home/home.css?inline";

const sha256 = (code: string): string => `'sha256-${hash("sha256", code, "base64")}'`;

/** Files of the site, the styles in the contact page, and scripts by a nonce or their text (CSP 3). */
export function contentSecurityPolicy({ nonce, script }: { nonce?: string; script?: string }) {
  const inline = nonce ? `'self' 'nonce-${nonce}'` : script ? sha256(script) : "'none'";
  return [
    "default-src 'none'",
    `script-src ${inline}`,
    `style-src 'self' ${sha256(home)}`,
    "img-src 'self' data:",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join("; ");
}
