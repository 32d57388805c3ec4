/** Not shown to SQL: clients could forge addresses, and credentials are secret. */
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

export interface Sender {
  address: string;
  /** Names and values alternate, as in Node's `rawHeaders`. */
  rawHeaders?: readonly string[];
}

/** Returns `request.headers` for SQL. `x-forwarded-for` is the sender's verified address. */
export function headersForSql(headers: Headers, sender: Sender): Record<string, string> {
  const shown = new Map<string, string>();
  const raw = sender.rawHeaders ?? Array.from(headers).flat();
  for (let at = 0; at + 1 < raw.length; at += 2) {
    const name = (raw[at] ?? "").toLowerCase();
    const value = raw[at + 1] ?? "";
    if (!hidden.has(name)) {
      const before = shown.get(name);
      shown.set(name, before === undefined ? value : `${before}, ${value}`);
    }
  }
  return Object.fromEntries(shown.set("x-forwarded-for", sender.address));
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
