import { AsyncLocalStorage } from "node:async_hooks";

import type { AccessClaims } from "../tokens.ts";

/** Who asks and how, as far as SQL may see it. */
export interface RequestContext {
  claims: Partial<AccessClaims> & { role: string };
  method: string;
  path: string;
  headers: Record<string, string>;
}

export const requestContext = new AsyncLocalStorage<RequestContext>();

const FORGEABLE = ["forwarded", "x-real-ip", "cf-connecting-ip", "true-client-ip"];

/**
 * The headers as `request.headers` shows them to SQL (PostgREST, "Transaction-Scoped
 * Settings"). `x-forwarded-for` is the address that the server saw; the others in which a
 * client could claim one are left out, and so is what could sign somebody in.
 */
export function headersForSql(headers: Headers, address: string): Record<string, string> {
  const shown = Object.fromEntries(headers);
  for (const name of [...FORGEABLE, "authorization", "cookie", "apikey"]) {
    delete shown[name];
  }
  return { ...shown, "x-forwarded-for": address };
}
