const credentials = new Set(["authorization", "cookie", "apikey"]);

/**
 * Returns what SQL reads as `request.headers`: without credentials, and with the visitor's address
 * as `x-forwarded-for`, whatever the request says.
 */
export function headersForSql(headers: Headers, address: string): Record<string, string> {
  const shown = Array.from(headers).filter(([name]) => !credentials.has(name));
  return Object.fromEntries([...shown, ["x-forwarded-for", address]]);
}
