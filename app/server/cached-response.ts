import { createHash } from "node:crypto";
import type { IncomingMessage, ServerResponse } from "node:http";
import { byCoding, type Coding, preferredCoding } from "#app/document/compression.server.ts";

/** An answer that is kept as it is sent. */
export interface ReadyAnswer {
  /** In quotes, as If-None-Match has it. */
  tag: string;
  /** Names and values in turns, which Node sends as they are. */
  headers: string[];
  variants: Record<Coding, { headers: string[]; body: Buffer }>;
}

/** @param bodies the same bytes in each coding */
export function readyAnswer(
  bodies: Record<Coding, Buffer>,
  headers: Record<string, string>,
): ReadyAnswer {
  const digest = createHash("sha256").update(bodies.identity).digest("base64url");
  const tag = `"${digest.slice(0, 22)}"`;
  // Weak, because all codings share it (RFC 9110, 8.8.1).
  const common = Object.entries({ ...headers, etag: `W/${tag}` }).flat();
  const variant = (coding: Coding) => {
    const body = bodies[coding];
    const own = body === bodies.identity ? [] : ["content-encoding", coding];
    return { body, headers: [...common, ...own, "content-length", String(body.length)] };
  };
  return { tag, headers: common, variants: byCoding(variant) };
}

/**
 * Answers a GET or HEAD with it, or with 304 to who has it already.
 * @param extra headers of this one answer, names and values in turns
 */
export function sendReady(
  { tag, headers: common, variants }: ReadyAnswer,
  { method, headers }: IncomingMessage,
  response: ServerResponse,
  extra: string[] = [],
): void {
  const known = headers["if-none-match"];
  if (known === "*" || known?.includes(tag)) {
    response.writeHead(304, [...common, ...extra]).end();
    return;
  }
  const variant = variants[preferredCoding(headers["accept-encoding"])];
  response.writeHead(200, [...variant.headers, ...extra]);
  response.end(method === "HEAD" ? undefined : variant.body);
}
