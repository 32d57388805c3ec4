import type { Sql } from "postgres";
import type { TransactionPool } from "#embedded/transactions.ts";
import type { Catalog } from "./catalog.ts";
import type { Claims } from "./credentials.ts";
import type { Statement } from "./statements.ts";

/** What SQL can read of the request. */
export interface Caller {
  claims: Claims;
  /** Below /rest/v1. */
  path: string;
  headers: Record<string, string>;
}

interface Row {
  body?: string | null;
}

/** OID of the type `unknown`: PostgreSQL infers the parameter's type. */
const unknownType = 705;
/** For roles without a timeout, as on a hosted project's login role. */
const defaultTimeout = "8s";

/** Runs a statement as the caller, in one transaction. Returns the result as JSON, if any. */
export function execute(
  pool: TransactionPool,
  timeouts: Catalog["timeouts"],
  caller: Caller,
  { text, hasParameter, isReadOnly }: Statement,
  body: string,
): Promise<string | null> {
  return pool.lend(async (connection) => {
    try {
      // Pipelined. If one fails, PostgreSQL rejects the rest, and COMMIT rolls back.
      const [, , [row]] = await Promise.all([
        isReadOnly ? connection`begin read only` : connection`begin read write`,
        applySettings(connection, timeouts, caller),
        connection.unsafe<Row[]>(
          text,
          hasParameter ? [connection.typed(body, unknownType)] : [],
          // The list and the few shapes of its calls bound how many are kept.
          { prepare: true },
        ),
        connection`commit`,
      ]);
      return row?.body ?? null;
    } catch (error) {
      await connection`rollback`;
      throw error;
    }
  });
}

/** Sets timeouts before the role, because the role may not be allowed to. */
function applySettings(connection: Sql, timeouts: Catalog["timeouts"], caller: Caller) {
  const { claims, path, headers } = caller;
  const timeout = (wanted: string) =>
    timeouts.find(({ role, name }) => role === claims.role && name === wanted)?.value ??
    defaultTimeout;
  return connection`select
    set_config('search_path', 'public, extensions', true),
    set_config('statement_timeout', ${timeout("statement_timeout")}, true),
    set_config('lock_timeout', ${timeout("lock_timeout")}, true),
    set_config('role', ${claims.role}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
    set_config('request.method', 'POST', true),
    set_config('request.path', ${path}, true),
    set_config('request.headers', ${JSON.stringify(headers)}, true)`;
}
