import { App } from "@supabase/lite";
import { SignJWT } from "jose";

import type { Database } from "./database.ts";
import type { Keys } from "./keys.ts";
import { readSchema, RestConnection } from "./rest/connection.ts";
import { headersForSql, requestContext } from "./rest/context.ts";
import { readCredentials } from "./rest/credentials.ts";

export type Rest = {
  /** Answers a request below /rest/v1 whose body the caller has bounded. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
  close(): Promise<void>;
};

/** Rows in one answer at most, as on hosted Supabase. */
const MAX_ROWS = 1_000;

/**
 * The REST interface of PostgREST over the public schema, by @supabase/lite. Keys and tokens
 * are checked here; lite gets a token of its own that carries the role, from which it decides
 * between 401 and 403. `now` is in milliseconds.
 */
export async function createRest(parts: {
  database: Database;
  keys: Keys;
  now: () => number;
}): Promise<Rest> {
  const { database, keys, now } = parts;
  const connection = new RestConnection(database, await readSchema(database));
  const lite = new App({
    connection,
    api: { enabled: true, schemas: ["public"], max_rows: MAX_ROWS },
    auth: { enabled: false, jwt_secret: keys.internalJwtSecret },
    options: { server: { disableStudio: true } },
  });
  const handedToken = rememberTokens(keys);
  return {
    fetch: async (request, client) => {
      const credentials = await readCredentials(keys, request, now());
      if (!credentials.ok) return credentials.response;
      const { claims } = credentials;
      const url = new URL(request.url);
      url.searchParams.delete("apikey");
      const handed = new Request(url, request);
      handed.headers.delete("apikey");
      handed.headers.set("authorization", `Bearer ${await handedToken(claims.role)}`);
      const context = {
        claims,
        method: request.method,
        path: url.pathname.replace("/rest/v1", ""),
        headers: headersForSql(request.headers, client.address),
      };
      return requestContext.run(context, () => lite.fetch(handed));
    },
    close: () => connection.close(),
  };
}

/** Roles come from signed tokens only, so there are few. */
function rememberTokens(keys: Keys): (role: string) => Promise<string> {
  const secret = new TextEncoder().encode(keys.internalJwtSecret);
  const made = new Map<string, Promise<string>>();
  return (role) => {
    const known = made.get(role);
    if (known) return known;
    const token = new SignJWT({ role }).setProtectedHeader({ alg: "HS256" }).sign(secret);
    made.set(role, token);
    return token;
  };
}
