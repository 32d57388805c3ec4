import * as fc from "fast-check";
import { newAddress } from "#tests/support/address.ts";
import { requestBytes } from "#tests/support/raw-request.ts";
import { form } from "./bodies.ts";
import { query, sitePath } from "./targets.ts";
import { bytes, text } from "./text.ts";

/** Text that no response may contain. */
export const stack = /\n\s+at .+:\d+|node_modules|DatabaseError|TypeError|supabase\/embedded/;

const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("GET", "POST") },
  { weight: 2, arbitrary: fc.constantFrom("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("TRACE", "PROPFIND", "QUERY", "M-SEARCH", "PURGE", "LINK"),
  },
);
const who = fc.constantFrom("nobody", "stranger", "forged");
const headerNoise = fc.array(
  fc.oneof(
    fc.tuple(
      fc.constantFrom(
        "User-Agent",
        "Accept-Encoding",
        "Accept",
        "Cookie",
        "If-None-Match",
        "Range",
        "Prefer",
        "X-Forwarded-Host",
        "X-Http-Method-Override",
        "Content-Profile",
        "Accept-Profile",
        "X-Site-Secret",
        "X-Visitor-Address",
        "CF-Connecting-IP",
        "Referer",
        "X-Supabase-Api-Version",
      ),
      text.map((value) => value.replace(/[^\t\x20-\x7E\u0080-\u00FF]/g, "?").slice(0, 4000)),
    ),
    fc.constant<[string, string]>(["X-Huge", "x".repeat(20_000)]),
    fc.constant<[string, string]>(["Expect", "100-continue"]),
    fc.constant<[string, string]>(["X-Forwarded-For", "nonsense, 1.2.3.4, ::1%eth0"]),
  ),
  { maxLength: 2 },
);

export const inputs = fc.record({
  method,
  target: sitePath,
  query,
  who,
  type: fc.oneof(
    { weight: 8, arbitrary: fc.constant("right") },
    {
      weight: 2,
      arbitrary: fc.constantFrom(
        "multipart/form-data",
        "multipart/form-data; boundary=x",
        "text/plain",
        "application/json; charset=utf-16",
        "application/octet-stream",
        "text/csv",
        "x",
        "",
      ),
    },
  ),
  form,
  bytes,
  usesBytes: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  chunked: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  headerNoise,
});

export type Input = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

/** The sites and the credentials that inputs use. */
export interface Senders {
  siteUrl: string;
  cookie: string;
}

/** Returns an input as bytes on the wire. */
export function toBytes(input: Input, senders: Senders): Buffer {
  const { target, who: sender } = input;
  const type = input.type === "right" ? "application/x-www-form-urlencoded" : input.type;
  const cookie = {
    nobody: "",
    stranger: senders.cookie,
    forged: "session=base64-e30; session.0=x",
  }[sender];
  const hasBody = input.method !== "GET" && input.method !== "HEAD";
  const body = Buffer.from(input.usesBytes ? input.bytes : input.form);
  const joint = target.includes("?") ? "&" : "?";
  return requestBytes({
    method: input.method,
    target: target === "*" ? "*" : `${target}${input.query && joint}${input.query}`,
    headers: [
      ["X-Forwarded-For", newAddress()],
      ["Origin", senders.siteUrl],
      ...(cookie ? ([["Cookie", cookie]] as [string, string][]) : []),
      ...(hasBody && type ? ([["Content-Type", type]] as [string, string][]) : []),
      ...input.headerNoise,
    ],
    ...(hasBody && { body, chunked: input.chunked }),
  });
}
