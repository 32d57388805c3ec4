import pLimit from "p-limit";
import type { Sql } from "postgres";

interface Connection {
  sql: Sql;
  isOpen: boolean;
}

/**
 * Connections that are lent to one caller at a time, who can so send the statements of a
 * transaction together. begin() of postgres.js 3.4.9 waits for the answer to BEGIN first, and its
 * reserve() loses a place in the pool with each connection that cannot be opened.
 */
export class TransactionPool {
  readonly #connect: (onClose: () => void) => Sql;
  readonly #inTurn;
  readonly #all: Connection[] = [];
  /** The last one used comes first, so that the others can close as idle. */
  readonly #free: Connection[] = [];

  /** @param connect makes a postgres.js client with a single connection */
  constructor(connect: (onClose: () => void) => Sql, size: number) {
    this.#connect = connect;
    this.#inTurn = pLimit(size);
  }

  /**
   * Lends an open connection until `work` has settled, which must leave no transaction open.
   * Rejects with work's errors, and with the driver's if the connection cannot be opened.
   */
  lend<T>(work: (connection: Sql) => Promise<T>): Promise<T> {
    return this.#inTurn(async () => {
      const connection = this.#free.pop() ?? this.#add();
      try {
        if (!connection.isOpen) {
          // Without this, statements whose BEGIN failed would go to the next connection.
          await connection.sql`select`;
          connection.isOpen = true;
        }
        return await work(connection.sql);
      } finally {
        this.#free.push(connection);
      }
    });
  }

  #add(): Connection {
    const connection: Connection = {
      sql: this.#connect(() => (connection.isOpen = false)),
      isOpen: false,
    };
    this.#all.push(connection);
    return connection;
  }

  /** Closes the connections; transactions under way have `timeout` seconds. */
  async end(options: { timeout: number }): Promise<void> {
    await Promise.all(this.#all.map(({ sql }) => sql.end(options)));
  }
}
