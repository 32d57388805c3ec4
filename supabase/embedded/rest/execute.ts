import type { Sql } from "postgres";
import { z } from "zod";
import type { AccessClaims } from "#embedded/tokens.ts";
import type { TransactionPool } from "#embedded/transactions.ts";
import type { Catalog } from "./catalog.ts";
import type { Statement } from "./statement/sql.ts";

/** The request, as SQL may see it. */
export interface Caller {
  claims: Partial<AccessClaims> & { role: string };
  method: string;
  path: string;
  headers: Record<string, string>;
}

export interface Work {
  statement: Statement;
  isReadOnly: boolean;
  /** Whether `respond` can fail because of the rows, so that a write is committed after it. */
  mayRefuse: boolean;
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

/** PostgreSQL's type `unknown`: a text of which it infers the type itself. */
const unknownType = 705;
/** Those of a hosted project's login, for a role without its own. */
const defaultTimeout = "8s";

/** Each prepared statement stays in the memory of every connection that ran it. */
const maxPrepared = 32;

/** Only the first statements are prepared: requests can choose any number of other texts. */
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
 * Runs a statement as the caller, in one transaction. What `respond` refuses was not changed, if
 * `mayRefuse` said so.
 */
export function execute(
  pool: TransactionPool,
  catalog: Catalog,
  caller: Caller,
  { statement, isReadOnly, mayRefuse, respond }: Work,
  isPrepared: boolean,
): Promise<Response> {
  const commitsLater = mayRefuse && !isReadOnly;
  return pool.lend(async (connection) => {
    try {
      // Sent together. If one fails, PostgreSQL refuses the others and takes all back at COMMIT.
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

/** Timeouts come before the role, which may not be allowed to set them. */
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
