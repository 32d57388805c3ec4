import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { byEncoding, type Encoding, preferredEncoding } from "#app/document/compression.server.ts";

export interface CachedResponse {
  /** With quotes. */
  tag: string;
  /** [name, value, name, value, …], as Node's writeHead takes them. */
  headers: string[];
  variants: Record<Encoding, { headers: string[]; body: Buffer }>;
}

/** A response in each encoding of the same content. */
export function cachedResponse(
  bodies: Record<Encoding, Buffer>,
  headers: Record<string, string>,
): CachedResponse {
  const digest = createHash("sha256").update(bodies.identity).digest("base64url");
  const tag = `"${digest.slice(0, 22)}"`;
  // Weak: all encodings share it (RFC 9110, 8.8.1).
  const common = Object.entries({ ...headers, etag: `W/${tag}` }).flat();
  const variant = (encoding: Encoding) => {
    const body = bodies[encoding];
    const own = body === bodies.identity ? [] : ["content-encoding", encoding];
    return { body, headers: [...common, ...own, "content-length", String(body.length)] };
  };
  return { tag, headers: common, variants: byEncoding(variant) };
}

/** Answers GET or HEAD; 304 if the client has the content. `extra`: [name, value, …]. */
export function sendCached(
  { tag, headers: common, variants }: CachedResponse,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  extra: string[] = [],
): void {
  const known = headers["if-none-match"];
  if (known === "*" || known?.includes(tag)) {
    response.writeHead(304, [...common, ...extra]).end();
    return;
  }
  const variant = variants[preferredEncoding(headers["accept-encoding"])];
  response.writeHead(200, [...variant.headers, ...extra]);
  response.end(method === "HEAD" ? undefined : variant.body);
}
