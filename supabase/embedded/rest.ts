import { App } from "@supabase/lite";
import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import { SignJWT } from "jose";

import type { Database } from "./database.ts";
import type { Keys } from "./keys.ts";
import { readSchema, RestConnection } from "./rest/connection.ts";
import { headersForSql, requestContext } from "./rest/context.ts";
import { readCredentials } from "./rest/credentials.ts";

interface Client {
  address: string;
}

export interface Rest {
  /** Answers a request below /rest/v1. */
  fetch(request: Request, client: Client): Promise<Response>;
  close(): Promise<void>;
}

/** Rows in one answer at most, as on hosted Supabase. */
const MAX_ROWS = 1_000;
const MAX_BODY_BYTES = 1024 * 1024;
const EXPOSED_HEADERS = ["Content-Range", "Content-Location", "Preference-Applied"];

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

  async function answer(request: Request, client: Client): Promise<Response> {
    const credentials = await readCredentials(keys, request, now());
    if (!credentials.ok) {
      return credentials.response;
    }
    const { claims } = credentials;
    const url = new URL(request.url);
    // Text of the database ends at a zero byte, also the text of a statement on its way there.
    if (url.search.includes("%00")) {
      return unreadable();
    }
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
    return withoutInternals(await requestContext.run(context, () => lite.fetch(handed)));
  }

  const app = new Hono<{ Bindings: { client: Client } }>()
    .use(cors({ origin: "*", exposeHeaders: EXPOSED_HEADERS, maxAge: 86_400 }))
    .use(bodyLimit({ maxSize: MAX_BODY_BYTES, onError: tooLarge }))
    .all("*", (c) => answer(c.req.raw, c.env.client));
  return {
    fetch: async (request, client) => app.fetch(request, { client }),
    close: () => connection.close(),
  };
}

/**
 * What lite itself stumbles over (a path with a broken escape, `?name=constructor`) is the
 * request's fault: the database's have codes of their own.
 */
async function withoutInternals(response: Response): Promise<Response> {
  if (response.status !== 500) {
    return response;
  }
  const text = await response.clone().text();
  if (!/"code":"SUP"/.test(text) && text !== "") {
    return response;
  }
  return unreadable();
}

function unreadable(): Response {
  const message = "The request could not be read";
  return Response.json({ code: "PGRST100", details: null, hint: null, message }, { status: 400 });
}

/** The rest of the body stays unread, so the connection cannot carry another request. */
function tooLarge(): Response {
  return Response.json(
    { message: "Request body is larger than 1 MiB" },
    { status: 413, headers: { Connection: "close" } },
  );
}

/** Roles come from signed tokens only, so there are few. */
function rememberTokens(keys: Keys): (role: string) => Promise<string> {
  const secret = new TextEncoder().encode(keys.internalJwtSecret);
  const made = new Map<string, Promise<string>>();
  return (role) => {
    const known = made.get(role);
    if (known) {
      return known;
    }
    const token = new SignJWT({ role }).setProtectedHeader({ alg: "HS256" }).sign(secret);
    made.set(role, token);
    return token;
  };
}
