import * as fc from "fast-check";
import { newAddress } from "#tests/support/address.ts";
import { anyCharacter } from "#tests/support/any-character.ts";
import { requestBytes } from "#tests/support/raw-request.ts";
import { actions, pages } from "#tests/support/routes.ts";

/** Text that no response may contain. */
export const stack = /\n\s+at .+:\d+|node_modules|DatabaseError|TypeError|supabase\/embedded/;

const nasty = fc.constantFrom(
  "",
  "a\0b",
  "\u202Egnp.exe",
  "\uD800",
  "ه".repeat(6000),
  "x".repeat(100_000),
  "' or 1=1; --",
  "${7*7}{{7*7}}",
  '"><img src=x onerror=alert(1)>',
  "%00%0d%0a%ff%c0%af",
  "\r\nX-Split: yes",
  "../../../../etc/passwd",
  "__proto__",
  "1e309",
  "00000000-0000-4000-8000-000000000000",
  "294276-12-31T23:59:59Z_00000000-0000-4000-8000-000000000000",
  `${"x".repeat(300)}@example.com`,
);
const text = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 2, arbitrary: fc.string({ unit: anyCharacter, maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 300 }) },
);

const query = fc.tuple(
  fc.constantFrom("mode", "before", "box", "next", "type", "token_hash", "q", "index", "_routes"),
  text,
);
const fields = [...new Set(actions.flatMap(({ form }) => Object.keys(form))), "next", "__proto__"];
const field = fc.tuple(fc.constantFrom(...fields), text);
const encoded = (pairs: [string, string][]) =>
  new URLSearchParams(pairs.map(([name, value]) => [name, value.toWellFormed()])).toString();

const path = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...pages, ...actions).map((one) => one.path) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/admin.data",
      "/admin/live",
      "/_.data",
      "/__manifest",
      "/assets/%2e%2e/%2e%2e/.env",
      "/..%5c..%5cpackage.json",
      "//",
      "/%E0%A4%A",
      "*",
      "http://evil.example/admin",
      "/account/factors/%00/remove",
      "/rest/v1/rpc/leave_message",
    ),
  },
  {
    weight: 2,
    arbitrary: text.map((value) => `/${encodeURIComponent(value.toWellFormed())}`.slice(0, 3000)),
  },
);

const printable = (value: string) => value.replace(/[^\t\x20-\x7E\u0080-\u00FF]/g, "?");
const header = fc.tuple(
  fc.constantFrom(
    "Accept-Encoding",
    "Cookie",
    "Expect",
    "If-None-Match",
    "Range",
    "X-Forwarded-For",
    "X-Forwarded-Host",
    "X-Http-Method-Override",
  ),
  text.map((value) => printable(value).slice(0, 4000)),
);

/** A request of an attacker. `isSignedIn`: with the cookie of an account. */
export const inputs = fc.record({
  method: fc.constantFrom("GET", "GET", "POST", "POST", "HEAD", "PUT", "DELETE", "PROPFIND"),
  path,
  query: fc.array(query, { maxLength: 3 }).map(encoded),
  isSignedIn: fc.boolean(),
  type: fc.constantFrom(
    "application/x-www-form-urlencoded",
    "application/x-www-form-urlencoded",
    "multipart/form-data; boundary=x",
    "application/json; charset=utf-16",
  ),
  body: fc.oneof(fc.array(field, { maxLength: 5 }).map(encoded), text),
  isChunked: fc.boolean(),
  headers: fc.array(header, { maxLength: 2 }),
});
export type Input = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

/** Returns an input as bytes on the wire. */
export function toBytes(input: Input, siteUrl: string, cookie: string): Buffer {
  const { method } = input;
  const hasBody = method !== "GET" && method !== "HEAD";
  const joint = input.path.includes("?") ? "&" : "?";
  return requestBytes({
    method,
    target: input.path === "*" ? "*" : `${input.path}${joint}${input.query}`.slice(0, 9000),
    headers: [
      ["X-Forwarded-For", newAddress()],
      ["Origin", siteUrl],
      ...(input.isSignedIn ? [["Cookie", cookie] as [string, string]] : []),
      ...(hasBody ? [["Content-Type", input.type] as [string, string]] : []),
      ...input.headers,
    ],
    ...(hasBody && { body: Buffer.from(input.body), chunked: input.isChunked }),
  });
}
