import { setTimeout as sleep } from "node:timers/promises";
import {
  type Client,
  type ClientBase,
  DatabaseError,
  Pool,
  type PoolConfig,
  type QueryResult,
  type QueryResultRow,
} from "pg";
import { Part, render } from "./sql-text.ts";

/** Rows, and how many a statement returned, inserted, changed or deleted. */
type Rows<T> = T[] & { readonly count: number };
export type Row = QueryResultRow;

/** The database cannot be reached, or the connection ended: another attempt may succeed. */
export class ConnectionError extends Error {
  /** The code of the socket, such as ECONNREFUSED, or SQLSTATE connection_failure. */
  readonly code: string;

  constructor(cause: unknown) {
    super(cause instanceof Error ? cause.message : String(cause), { cause });
    this.name = "ConnectionError";
    this.code = (cause as { code?: string }).code ?? "08006";
  }
}

/** There was no connection, so nothing has run. */
export class NoConnectionError extends ConnectionError {}

export interface Sql {
  /** Runs a statement. Its values become parameters; a Part (sql-text.ts) becomes text. */
  <T = Row>(texts: TemplateStringsArray, ...values: unknown[]): Promise<Rows<T>>;
  /** Runs a statement whose text is not in the source. Its parameters are `$1`, `$2` and so on. */
  unsafe<T = Row>(text: string, values?: readonly unknown[]): Promise<Rows<T>>;
  /** Runs statements that are separated by semicolons. Returns the result of each. */
  script(text: string): Promise<QueryResult[]>;
}

export interface SqlPool extends Sql {
  /**
   * Runs `work` in a transaction of this mode, such as "read only". Rolls back and rejects if `work`
   * rejects, or if one of its statements has failed.
   */
  begin<R>(work: (transaction: Sql) => Promise<R>, mode?: string): Promise<R>;
  /** Closes the connections. Statements that run have five seconds to end. */
  end(): Promise<void>;
}

const endMs = 5_000;

const names = new Map<string, string>();

/**
 * PostgreSQL keeps a statement for each name. The texts are those of the source, so their number is bounded.
 */
function nameOf(text: string): string {
  const name = names.get(text) ?? `s${names.size}`;
  names.set(text, name);
  return name;
}

/**
 * Rejects with PostgreSQL's own error, under a name that a log can show, or with an error of the connection.
 */
function rejectNamed(error: unknown, Fault = ConnectionError): never {
  throw error instanceof DatabaseError
    ? Object.assign(error, { name: "DatabaseError" })
    : new Fault(error);
}

type Use = <R>(work: (client: ClientBase) => Promise<R>) => Promise<R>;

function sqlOver(use: Use): Sql {
  const unsafe = async <T>(text: string, values: readonly unknown[] = []) => {
    const { rows, rowCount } = await use((client) =>
      client.query({ name: nameOf(text), text, values: [...values] }).catch(rejectNamed),
    );
    return Object.defineProperty(rows, "count", { value: rowCount ?? 0 }) as Rows<T>;
  };
  const tag = async <T>(texts: readonly string[], ...given: unknown[]) => {
    const { text, values } = render(new Part(texts, given));
    return unsafe<T>(text, values);
  };
  const script = (text: string) =>
    use(async (client) => [await client.query(text).catch(rejectNamed)].flat());
  return Object.assign(tag, { unsafe, script });
}

/** Returns a pool that connects at the first statement and survives a restart of PostgreSQL. */
export function openPool(config: PoolConfig): SqlPool {
  const pool = new Pool(config);
  const clients = new Set<Client>();
  // A broken connection rejects its statements. Without a listener it would also end the process.
  pool.on("error", () => undefined);
  pool.on("connect", (client) => {
    clients.add(client);
    client.on("error", () => undefined);
    client.on("end", () => clients.delete(client));
  });
  const connect = () =>
    pool.connect().catch((error: unknown) => rejectNamed(error, NoConnectionError));
  const use: Use = async (work) => {
    const client = await connect();
    try {
      return await work(client);
    } finally {
      client.release();
    }
  };
  return Object.assign(sqlOver(use), {
    async begin<R>(work: (transaction: Sql) => Promise<R>, mode = ""): Promise<R> {
      const client = await connect();
      const sql = sqlOn(client);
      let isInTransaction = false;
      try {
        return await transact(sql, work, mode);
      } catch (error) {
        await sql.script("rollback").catch(() => (isInTransaction = true));
        throw error;
      } finally {
        client.release(isInTransaction);
      }
    },
    async end() {
      await Promise.race([pool.end(), sleep(endMs, undefined, { ref: false })]);
      clients.forEach(disconnect);
    },
  });
}

async function transact<R>(
  sql: Sql,
  work: (transaction: Sql) => Promise<R>,
  mode: string,
): Promise<R> {
  await sql.script(`begin ${mode}`);
  const result = await work(sql);
  const [end] = await sql.script("commit");
  if (end?.command !== "COMMIT") {
    throw new Error("The transaction was rolled back, because one of its statements had failed");
  }
  return result;
}

/** Statements on one connection. */
function sqlOn(client: ClientBase): Sql {
  return sqlOver((work) => work(client));
}

/** Ends a connection without waiting for PostgreSQL. */
export function disconnect(client: Client): void {
  client.connection.stream.destroy();
}
