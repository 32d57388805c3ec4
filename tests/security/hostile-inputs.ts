import * as fc from "fast-check";

import { requestBytes } from "./raw.ts";
import { actions, pages } from "./routes.ts";
import { newAddress } from "./visitor.ts";

const nasty = fc.constantFrom(
  "",
  "\0",
  "a\0b",
  "\u202Egnp.exe",
  "\u2066\u2067\u2068",
  "\uFEFF",
  "\uD800",
  "𝒜".repeat(50),
  "ه".repeat(6000),
  "x".repeat(100_000),
  "' or 1=1; --",
  '"; drop table contact_messages; --',
  "${7*7}{{7*7}}",
  "<script>alert(1)</script>",
  '"><img src=x onerror=alert(1)>',
  "javascript:alert(1)",
  "%00%0d%0a%ff%c0%af",
  "\r\nX-Split: yes",
  "../../../../etc/passwd",
  "..%2f..%2f..%2fetc%2fpasswd",
  "__proto__",
  "constructor",
  "-1",
  "1e309",
  "NaN",
  "9".repeat(400),
  "00000000-0000-4000-8000-000000000000",
  "2026-11-21T00:00:00Z_00000000-0000-4000-8000-000000000000",
  "99999-99-99T99:99:99Z_x",
  "294276-12-31T23:59:59Z_00000000-0000-4000-8000-000000000000",
  "a@b.co",
  `${"x".repeat(300)}@example.com`,
  "٠١٢٣@مثال.إختبار",
);
export const text = fc.oneof(
  { weight: 3, arbitrary: nasty },
  { weight: 2, arbitrary: fc.string({ unit: "binary", maxLength: 80 }) },
  { weight: 1, arbitrary: fc.string({ unit: "grapheme", maxLength: 300 }) },
);
export const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 400 }),
  text.map((value) => Buffer.from(value)),
);
const fields = [
  "name",
  "email",
  "message",
  "t_extra",
  "password",
  "id",
  "code",
  "recovery",
  "session",
  "current",
  "factor",
  "uri",
  "next",
  "token_hash",
  "type",
  "_method",
  "__proto__",
  "",
];
const method = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom("GET", "POST") },
  { weight: 2, arbitrary: fc.constantFrom("HEAD", "PUT", "PATCH", "DELETE", "OPTIONS") },
  {
    weight: 1,
    arbitrary: fc.constantFrom("TRACE", "PROPFIND", "QUERY", "M-SEARCH", "PURGE", "LINK"),
  },
);
const query = fc
  .dictionary(
    fc.constantFrom(
      "mode",
      "before",
      "box",
      "next",
      "type",
      "token_hash",
      "code",
      "error",
      "index",
      "_routes",
      "p",
      "paths",
      "version",
      "redirect_to",
      "select",
      "order",
      "limit",
      "offset",
      "or",
      "and",
      "id",
      "name",
      "email",
      "columns",
      "on_conflict",
      "apikey",
      "grant_type",
      "token",
    ),
    text,
    { maxKeys: 4 },
  )
  .map((entries) => new URLSearchParams(entries).toString().slice(0, 6000));

const sitePath = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom(...pages, ...actions).map(({ path }) => path) },
  {
    weight: 2,
    arbitrary: fc.constantFrom(
      "/admin.data",
      "/admin/live.data",
      "/_.data",
      "/__manifest",
      "/account.data",
      "/healthz",
      "/icon.svg",
      "/assets/x.js",
      "/assets/../../package.json",
      "/assets/%2e%2e/%2e%2e/.env",
      "/.git/config",
      "/build/server/index.js",
      "/..%5c..%5cpackage.json",
      "//",
      "/%",
      "/%ff",
      "/%E0%A4%A",
      "/\\",
      "*",
      "http://evil.example/admin",
      "/account/factors/%00/remove",
      "/auth/v1/../../admin",
      "/rest/v1/%2e%2e/%2e%2e/account",
    ),
  },
  {
    weight: 2,
    arbitrary: text.map((value) => `/${encodeURIComponent(value.toWellFormed())}`.slice(0, 3000)),
  },
);
const apiPath = fc.oneof(
  fc.constantFrom(
    "/auth/v1/user",
    "/auth/v1/logout",
    "/auth/v1/factors",
    "/auth/v1/factors/x/verify",
    "/auth/v1/recover",
    "/auth/v1/resend",
    "/auth/v1/otp",
    "/auth/v1/verify",
    "/auth/v1/settings",
    "/auth/v1/token?grant_type=refresh_token",
    "/auth/v1/token?grant_type=pkce",
    "/auth/v1/token",
    "/auth/v1/reauthenticate",
    "/auth/v1/.well-known/jwks.json",
    "/auth/v1/admin/users",
    "/auth/v1/none",
    "/rest/v1/",
    "/rest/v1/contact_messages",
    "/rest/v1/rpc/claim_inbox",
    "/rest/v1/rpc/inbox_state",
    "/rest/v1/rpc/take_attempt",
    "/rest/v1/rpc/use_recovery_code",
    "/rest/v1/rpc/my_sessions",
    "/rest/v1/rpc/end_session",
    "/rest/v1/rpc/reserve_inbox",
    "/rest/v1/rpc/renew_recovery_codes",
    "/rest/v1/rpc/none",
    "/rest/v1/users",
    "/rest/v1/auth.users",
    "/rest/v1/private.site_owner",
    "/realtime/v1/websocket",
    "/realtime/v1/api/broadcast",
  ),
  text.map((value) => `/rest/v1/${encodeURIComponent(value.toWellFormed())}`.slice(0, 2000)),
);
export const json = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .dictionary(
        fc.constantFrom(
          ...fields,
          "kind",
          "account",
          "address",
          "session_id",
          "spam_reason",
          "created_at",
          "refresh_token",
          "factor_type",
          "friendly_name",
          "challenge_id",
          "data",
          "grant_type",
          "auth_code",
        ),
        fc.oneof(text, fc.jsonValue(), fc.constant(null)),
        { maxKeys: 6 },
      )
      .map((value) => JSON.stringify(value)),
  },
  { weight: 1, arbitrary: fc.jsonValue().map((value) => JSON.stringify(value)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom(
      "[".repeat(20_000),
      '{"a":'.repeat(5000),
      "{",
      "null",
      '"',
      "[[]]",
      `{"data":${"[".repeat(500)}${"]".repeat(500)}}`,
      '{"email":"a","email":"b"}',
      '{"__proto__":{"x":1}}',
      "1e999",
    ),
  },
);
const form = fc
  .array(fc.tuple(fc.constantFrom(...fields), text), { maxLength: 5 })
  .map((entries) => new URLSearchParams(entries.map(([k, v]) => [k, v.toWellFormed()])).toString());
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
  where: fc.oneof(
    { weight: 3, arbitrary: fc.record({ target: sitePath, isApi: fc.constant(false) }) },
    { weight: 2, arbitrary: fc.record({ target: apiPath, isApi: fc.constant(true) }) },
  ),
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
  json,
  bytes,
  usesBytes: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  chunked: fc.integer({ min: 0, max: 9 }).map((n) => n === 0),
  headerNoise,
});

export type Input = typeof inputs extends fc.Arbitrary<infer T> ? T : never;

/** Whose cookie and token an input carries, and to which site. */
export interface Senders {
  siteUrl: string;
  publishableKey: string;
  cookie: string;
  token: string;
}

/** An input as it goes over the wire. */
export function toBytes(input: Input, senders: Senders): Buffer {
  const { where, who: sender } = input;
  const right = where.isApi ? "application/json" : "application/x-www-form-urlencoded";
  const type = input.type === "right" ? right : input.type;
  const cookie = {
    nobody: "",
    stranger: senders.cookie,
    forged: "session=base64-e30; session.0=x",
  }[sender];
  const token = { nobody: "", stranger: senders.token, forged: "a.b.c" }[sender];
  const hasBody = input.method !== "GET" && input.method !== "HEAD";
  const content = where.isApi ? input.json : input.form;
  const body = Buffer.from(input.usesBytes ? input.bytes : content);
  const joint = where.target.includes("?") ? "&" : "?";
  return requestBytes({
    method: input.method,
    target: where.target === "*" ? "*" : `${where.target}${input.query && joint}${input.query}`,
    headers: [
      ["X-Forwarded-For", newAddress()],
      ...(where.isApi
        ? ([
            ["apikey", senders.publishableKey],
            ...(token ? [["Authorization", `Bearer ${token}`]] : []),
          ] as [string, string][])
        : ([["Origin", senders.siteUrl], ...(cookie ? [["Cookie", cookie]] : [])] as [
            string,
            string,
          ][])),
      ...(hasBody && type ? ([["Content-Type", type]] as [string, string][]) : []),
      ...input.headerNoise,
    ],
    ...(hasBody && { body, chunked: input.chunked }),
  });
}
