import pLimit from "p-limit";
import type { Sql } from "postgres";

/** Each waiting call keeps its request in memory. This many take about a second. */
const maxWaiting = 500;
const openWithin = 6_000;

const poolFull = "CONNECTION_POOL_FULL";

export const isPoolFull = (error: unknown): boolean =>
  error instanceof Error && "code" in error && error.code === poolFull;

interface Connection {
  sql: Sql;
  isOpen: boolean;
  isLent: boolean;
}

/**
 * Connections that are lent to one caller at a time, who can so send the statements of a
 * transaction together. begin() of postgres.js 3.4.9 waits for the answer to BEGIN first, and its
 * reserve() loses a place in the pool with each connection that cannot be opened.
 */
export class TransactionPool {
  readonly #connect: (place: number, onClose: () => void) => Sql;
  readonly #inTurn;
  readonly #all: Connection[] = [];

  /** @param connect makes a postgres.js client with a single connection for a place from 0 on */
  constructor(connect: (place: number, onClose: () => void) => Sql, size: number) {
    this.#connect = connect;
    this.#inTurn = pLimit(size);
  }

  /**
   * Lends an open connection until `work` has settled, which must leave no transaction open.
   * Rejects with work's errors, with the driver's if the connection cannot be opened, and with
   * CONNECTION_POOL_FULL if 500 others wait.
   */
  lend<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    if (this.#inTurn.pendingCount >= maxWaiting) {
      return Promise.reject(
        Object.assign(new Error("Too many transactions wait"), { code: poolFull }),
      );
    }
    return this.#inTurn(async () => {
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

  /** Without this, statements whose BEGIN failed would go to the next connection. */
  async #open(connection: Connection): Promise<void> {
    const { sql } = connection;
    // A client can lose track of its connection and then never answers: another takes its place.
    const drop = () => sql.end({ timeout: 0 });
    const late = setTimeout(drop, openWithin);
    try {
      await sql`select`;
      connection.isOpen = true;
    } catch (error) {
      this.#all.splice(this.#all.indexOf(connection), 1);
      await drop();
      throw error;
    } finally {
      clearTimeout(late);
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
