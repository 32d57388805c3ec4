/** Where a client could claim an address, and what could sign somebody in. */
const hidden = new Set([
  "forwarded",
  "x-forwarded-for",
  "x-real-ip",
  "cf-connecting-ip",
  "true-client-ip",
  "authorization",
  "cookie",
  "apikey",
]);

/**
 * The headers as `request.headers` shows them to SQL: without those above, and with the address
 * that the server saw as `x-forwarded-for`.
 */
export function headersForSql(headers: Headers, address: string): Record<string, string> {
  const shown = Array.from(headers).filter(([name]) => !hidden.has(name));
  return Object.fromEntries([...shown, ["x-forwarded-for", address]]);
}

/** Whether a browser asks before a request that a page of another origin wants to send. */
export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

/** What a preflight allows; it needs no key. */
export function preflightHeaders({ headers }: Request): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": "GET,POST,PATCH,PUT,DELETE,OPTIONS,HEAD",
    "Access-Control-Allow-Headers": headers.get("access-control-request-headers") ?? "",
    "Access-Control-Max-Age": "86400",
  };
}
