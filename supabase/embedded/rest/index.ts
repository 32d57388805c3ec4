import type { Database } from "#embedded/database.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import { targetOf } from "#embedded/target.ts";
import { isPoolFull } from "#embedded/transactions.ts";
import { createLimitLog } from "#supabase/shared/limit-log.ts";
import { readCatalog } from "./catalog.ts";
import { readCredentials } from "./credentials.ts";
import { fromDriverError } from "./database-errors.ts";
import { RestError } from "./errors.ts";
import { type Caller, createPreparedTexts, execute } from "./execute.ts";
import { headersForSql, isPreflight, preflightHeaders, type Sender } from "./headers.ts";
import { readPairs } from "./request/pairs.ts";
import { errorResponse, respond } from "./response.ts";
import { route } from "./route.ts";

interface Client extends Sender {
  isSite?: boolean;
}

export interface Rest {
  fetch(request: Request, client: Client): Promise<Response>;
}

interface Parts {
  database: Database;
  keys: Keys;
  /** In milliseconds. */
  now: () => number;
  log: Log;
}

/** Serves PostgREST's API for schema public (CONTRACT.md). Migrations must have run. */
export async function createRest({ database, keys, now, log }: Parts): Promise<Rest> {
  const catalog = await readCatalog(database);
  const isPrepared = createPreparedTexts();
  const limitReached = createLimitLog(log.warn);

  async function answer(request: Request, client: Client): Promise<Response> {
    if (isPreflight(request)) {
      return respond(204, preflightHeaders(request), null);
    }
    const target = targetOf(request);
    let role = "anon";
    try {
      const pairs = readPairs(target.search);
      const apikey = request.headers.get("apikey") ?? pairs.find(([key]) => key === "apikey")?.[1];
      const authorization = request.headers.get("authorization");
      const credentials = await readCredentials(keys, apikey, authorization, now());
      if (!credentials.ok) {
        return credentials.response;
      }
      const { claims } = credentials;
      role = claims.role;
      const caller: Caller = {
        claims,
        method: request.method,
        path: target.path.replace("/rest/v1", ""),
        headers: headersForSql(request.headers, client),
      };
      const pool = role === "service_role" ? database.service : database.visitors;
      return await route(catalog, caller.path, {
        request,
        pairs: pairs.filter(([key]) => key !== "apikey"),
        run: (work) => execute(pool, catalog, caller, work, isPrepared(work.statement.text)),
      });
    } catch (error) {
      return refuse(error, role, client);
    }
  }

  function refuse(error: unknown, role: string, { isSite = false }: Client): Response {
    const known = error instanceof RestError ? error : fromDriverError(error, role);
    const shown = known ?? new RestError(500, { code: "PGRSTX00", message: "Internal error" });
    if (isPoolFull(error)) {
      limitReached("restWaiting");
    } else if (shown.status === 429 || shown.status === 413) {
      if (!isSite) {
        limitReached(shown.status === 429 ? "restAttempts" : "restSize");
      }
    } else if (shown.status >= 500) {
      // The message is left out: it can quote values of a row.
      log.error("rest: a request failed", {
        code: known ? known.code : error instanceof Error ? error.name : undefined,
      });
    }
    return errorResponse(shown);
  }

  return { fetch: answer };
}
