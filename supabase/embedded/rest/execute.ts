import type { Sql, SqlPool } from "#embedded/sql.ts";
import type { Catalog } from "./catalog.ts";
import type { Claims } from "./credentials.ts";
import type { Statement } from "./statements.ts";

/** What SQL can read of the request. */
export interface Caller {
  claims: Claims;
  /** The visitor's, which limits count. Undefined for the site itself. */
  address: string | undefined;
}

/** For roles without a timeout, as on a hosted project's login role. */
const defaultTimeout = "8s";

/** Runs a statement as the caller, in one transaction. Returns the result as JSON, if any. */
export function execute(
  pool: SqlPool,
  { timeouts }: Catalog,
  caller: Caller,
  { text, hasParameter, isReadOnly }: Statement,
  body: string,
): Promise<string | null> {
  return pool.begin(
    async (transaction) => {
      await applySettings(transaction, timeouts, caller);
      const [row] = await transaction.unsafe<{ body?: string | null }>(
        text,
        hasParameter ? [body] : [],
      );
      return row?.body ?? null;
    },
    isReadOnly ? "read only" : "read write",
  );
}

/** Sets timeouts before the role, because the role may not be allowed to. */
function applySettings(transaction: Sql, timeouts: Catalog["timeouts"], caller: Caller) {
  const { claims, address } = caller;
  const timeout = (wanted: string) =>
    timeouts.find(({ role, name }) => role === claims.role && name === wanted)?.value ??
    defaultTimeout;
  return transaction`select
    set_config('search_path', 'public, extensions', true),
    set_config('statement_timeout', ${timeout("statement_timeout")}, true),
    set_config('lock_timeout', ${timeout("lock_timeout")}, true),
    set_config('role', ${claims.role}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
    set_config('request.headers', ${JSON.stringify({ "x-forwarded-for": address })}, true)`;
}
