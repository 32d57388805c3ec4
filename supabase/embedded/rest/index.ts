import type { CallList } from "#embedded/calls.ts";
import type { Pools } from "#embedded/database.ts";
import type { Keys } from "#embedded/keys.ts";
import type { Log } from "#embedded/log.ts";
import type { Sql, SqlPool } from "#embedded/sql.ts";
import { type Catalog, readCatalog } from "./catalog.ts";
import { type Claims, readClaims } from "./credentials.ts";
import { knownError, RestError } from "./errors.ts";
import { callStatement, type Statement, unknownFunction } from "./statements.ts";

interface Rest {
  /** Answers a REST call of the list, with PostgREST's statuses, codes and shapes. */
  fetch(request: Request): Promise<Response>;
  /** Answers a call of a function as service_role. */
  callAsSite(name: string, args: object): Promise<Response>;
}

interface Parts {
  calls: CallList;
  database: Pools;
  keys: Keys;
  /** In milliseconds. */
  now: () => number;
  log: Log;
}

/** Starts the REST part. Migrations must have run. */
export async function createRest({ calls, database, keys, now, log }: Parts): Promise<Rest> {
  const catalog = await readCatalog(database, calls);

  const run = async (pool: SqlPool, claims: Claims, name: string, body: string) => {
    try {
      const called = catalog.functions.find((known) => known.name === name);
      const names = new Set(Object.keys(JSON.parse(body) as object));
      if (!called) {
        throw unknownFunction(name, names);
      }
      const statement = callStatement(called, names);
      const result = await execute(pool, catalog, claims, statement, body);
      return called.returnsVoid
        ? new Response(null, { status: 204 })
        : jsonResponse(result ?? "null");
    } catch (error) {
      return refuse(error, claims.role);
    }
  };

  function refuse(error: unknown, role: string): Response {
    const known = knownError(error, role);
    if (!known) {
      // The caller reads the code of all other errors. The message is left out, because it can quote values
      // of a row.
      log.error("rest: a request failed", {
        code: error instanceof Error ? error.name : undefined,
      });
    }
    const shown = known ?? new RestError(500, { code: "PGRSTX00", message: "Internal error" });
    return shown.response;
  }

  return {
    async fetch(request) {
      const name = new URL(request.url).pathname.replace(/^\/rest\/v1\/rpc\//, "");
      try {
        const claims = await readClaims(keys, request.headers, now());
        return await run(database.visitors, claims, name, await request.text());
      } catch (error) {
        return refuse(error, "anon");
      }
    },
    callAsSite(name, args) {
      return run(database.service, { role: "service_role" }, name, JSON.stringify(args));
    },
  };
}

/** Runs a statement as the caller, in one transaction. Returns the result as JSON, if any. */
function execute(
  pool: SqlPool,
  { timeouts }: Catalog,
  claims: Claims,
  { text, hasParameter, isReadOnly }: Statement,
  body: string,
): Promise<string | null> {
  return pool.begin(
    async (transaction) => {
      await applySettings(transaction, timeouts, claims);
      const [row] = await transaction.unsafe<{ body?: string | null }>(
        text,
        hasParameter ? [body] : [],
      );
      return row?.body ?? null;
    },
    isReadOnly ? "read only" : "read write",
  );
}

/**
 * Sets the timeouts first, because the role may not be allowed to. Null stands for the timeout of the
 * connection's login.
 */
function applySettings(transaction: Sql, timeouts: Catalog["timeouts"], claims: Claims) {
  const timeout = (wanted: string) =>
    timeouts.find(({ role, name }) => role === claims.role && name === wanted)?.value ?? null;
  return transaction`select
    set_config('search_path', 'public, extensions', true),
    set_config('statement_timeout', ${timeout("statement_timeout")}, true),
    set_config('lock_timeout', ${timeout("lock_timeout")}, true),
    set_config('role', ${claims.role}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
}

const jsonResponse = (body: string) =>
  new Response(body, { headers: { "Content-Type": "application/json; charset=utf-8" } });
