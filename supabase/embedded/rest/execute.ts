import type { Sql } from "postgres";
import { z } from "zod";
import type { AccessClaims } from "#embedded/tokens.ts";
import type { TransactionPool } from "#embedded/transactions.ts";
import type { Catalog } from "./catalog.ts";
import type { Statement } from "./statement/sql.ts";

/** What SQL can read of the request. */
export interface Caller {
  claims: Partial<AccessClaims> & { role: string };
  method: string;
  path: string;
  headers: Record<string, string>;
}

export interface Work {
  statement: Statement;
  isReadOnly: boolean;
  /** Whether `respond` can fail because of the rows. A write is then committed after `respond`. */
  canFailOnRows: boolean;
  respond: (row: Row) => Response;
}

const rowSchema = z.object({
  body: z.string().nullable(),
  shown: z.coerce.number(),
  total: z.coerce.number().nullable(),
  is_new: z.boolean().nullable(),
  status: z.string().nullable(),
  headers: z.string().nullable(),
});

export type Row = z.infer<typeof rowSchema>;

/** OID of the type `unknown`: PostgreSQL infers the parameter's type. */
const unknownType = 705;
/** For roles without a timeout, as on a hosted project's login role. */
const defaultTimeout = "8s";

/** Each prepared statement stays in the memory of every connection that ran it. */
const maxPrepared = 32;

/** Prepares only the first `maxPrepared` texts: requests can produce any number of them. */
export function createPreparedTexts(): (text: string) => boolean {
  const texts = new Set<string>();
  return (text) => {
    if (texts.size < maxPrepared) {
      texts.add(text);
    }
    return texts.has(text);
  };
}

/**
 * Runs a statement as the caller, in one transaction. If `canFailOnRows` is set and `respond`
 * throws, the transaction is rolled back.
 */
export function execute(
  pool: TransactionPool,
  catalog: Catalog,
  caller: Caller,
  { statement, isReadOnly, canFailOnRows, respond }: Work,
  isPrepared: boolean,
): Promise<Response> {
  const commitsLater = canFailOnRows && !isReadOnly;
  return pool.lend(async (connection) => {
    try {
      // Pipelined. If one fails, PostgreSQL rejects the rest, and COMMIT rolls back.
      const [, , [row]] = await Promise.all([
        isReadOnly ? connection`begin read only` : connection`begin read write`,
        applySettings(connection, catalog, caller),
        connection.unsafe(
          statement.text,
          statement.values.map((value) => connection.typed(value, unknownType)),
          { prepare: isPrepared },
        ),
        commitsLater || connection`commit`,
      ]);
      const response = respond(rowSchema.parse(row));
      if (commitsLater) {
        await connection`commit`;
      }
      return response;
    } catch (error) {
      await connection`rollback`;
      throw error;
    }
  });
}

/** Sets timeouts before the role, because the role may not be allowed to. */
function applySettings(connection: Sql, catalog: Catalog, caller: Caller) {
  const { claims, method, path, headers } = caller;
  const timeout = (wanted: string) =>
    catalog.timeouts.find(({ role, name }) => role === claims.role && name === wanted)?.value ??
    defaultTimeout;
  return connection`select
    set_config('search_path', 'public, extensions', true),
    set_config('statement_timeout', ${timeout("statement_timeout")}, true),
    set_config('lock_timeout', ${timeout("lock_timeout")}, true),
    set_config('role', ${claims.role}, true),
    set_config('request.jwt.claims', ${JSON.stringify(claims)}, true),
    set_config('request.method', ${method}, true),
    set_config('request.path', ${path}, true),
    set_config('request.headers', ${JSON.stringify(headers)}, true),
    set_config('response.status', '', true),
    set_config('response.headers', '', true)`;
}
