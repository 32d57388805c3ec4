/** A client could claim an address by these, or sign in. */
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

/** Returns `request.headers` for SQL, with the true address as `x-forwarded-for`. */
export function headersForSql(headers: Headers, address: string): Record<string, string> {
  const shown = Array.from(headers).filter(([name]) => !hidden.has(name));
  return Object.fromEntries([...shown, ["x-forwarded-for", address]]);
}

export function isPreflight({ method, headers }: Request): boolean {
  return method === "OPTIONS" && headers.has("access-control-request-method");
}

export function preflightHeaders({ headers }: Request): Record<string, string> {
  return {
    "Access-Control-Allow-Methods": "GET,POST,PATCH,PUT,DELETE,OPTIONS,HEAD",
    "Access-Control-Allow-Headers": headers.get("access-control-request-headers") ?? "",
    "Access-Control-Max-Age": "86400",
  };
}
