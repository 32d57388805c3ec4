import pLimit from "p-limit";
import type { Sql } from "postgres";

/** Each waiting call keeps its request in memory. So many take about a second. */
const maxWaiting = 500;
const openTimeoutMs = 6_000;

const poolFull = "CONNECTION_POOL_FULL";

export const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === poolFull;

interface Connection {
  sql: Sql;
  isOpen: boolean;
  isLent: boolean;
}

/**
 * Lends each connection to one caller at a time, so that the statements of a transaction can be
 * sent together. In postgres.js 3.4.9 begin() waits for the response to BEGIN, and reserve() loses
 * a place in the pool for each connection that cannot be opened.
 */
export class TransactionPool {
  readonly #connect: (place: number, onClose: () => void) => Sql;
  readonly #limit;
  readonly #all: Connection[] = [];

  /** @param connect returns a postgres.js client with one connection. Places count from 0. */
  constructor(connect: (place: number, onClose: () => void) => Sql, size: number) {
    this.#connect = connect;
    this.#limit = pLimit(size);
  }

  /**
   * Lends an open connection until `work` has settled. `work` must leave no transaction open.
   * Rejects with errors of `work`, with the driver's if the connection cannot be opened, and with
   * CONNECTION_POOL_FULL if 500 other calls are waiting.
   */
  lend<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    if (this.#limit.pendingCount >= maxWaiting) {
      return Promise.reject(
        Object.assign(new Error("Too many transactions are waiting"), { code: poolFull }),
      );
    }
    return this.#limit(async () => {
      // The lowest free place is used first, so that the others can close when idle.
      const connection = this.#all.find(({ isLent }) => !isLent) ?? this.#add();
      connection.isLent = true;
      try {
        if (!connection.isOpen) {
          await this.#open(connection);
        }
        return await work(connection.sql);
      } finally {
        connection.isLent = false;
      }
    });
  }

  // If BEGIN itself failed to connect, the statements after it would use the next connection.
  async #open(connection: Connection): Promise<void> {
    const { sql } = connection;
    // A client can lose track of its connection and never respond. A new client replaces it.
    const drop = () => sql.end({ timeout: 0 });
    const timer = setTimeout(drop, openTimeoutMs);
    try {
      await sql`select`;
      connection.isOpen = true;
    } catch (error) {
      this.#all.splice(this.#all.indexOf(connection), 1);
      await drop();
      throw error;
    } finally {
      clearTimeout(timer);
    }
  }

  #add(): Connection {
    const connection: Connection = {
      sql: this.#connect(this.#all.length, () => (connection.isOpen = false)),
      isOpen: false,
      isLent: false,
    };
    this.#all.push(connection);
    return connection;
  }

  /** Closes the connections. Running transactions have `timeout` seconds to end. */
  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#all.map(({ sql }) => sql.end(options)));
  }
}
