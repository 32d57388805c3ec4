import type { Connection, Submittable } from "pg";

/** What pg has, but not its types: pg-copy-streams and pg-query-stream stand on it too. */
interface CopyConnection extends Connection {
  sendCopyFromChunk(bytes: Buffer): void;
}

/**
 * A replication command that PostgreSQL answers with a stream of messages. Give it to `query` of a
 * client with the option `replication`. It parses nothing: `see` gets one message at a time.
 */
export class CopyStream implements Submittable {
  readonly #text: string;
  readonly #see: (message: Buffer) => void;
  readonly #started = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  #connection: CopyConnection | undefined;

  constructor(text: string, see: (message: Buffer) => void) {
    this.#text = text;
    this.#see = see;
    // Each is of interest to some callers only.
    this.started.catch(() => undefined);
    this.ended.catch(() => undefined);
  }

  /** Resolves when PostgreSQL has started a stream of both directions. Rejects as `ended`. */
  get started(): Promise<void> {
    return this.#started.promise;
  }

  /** Resolves at the end of the stream. Rejects with an error of PostgreSQL or of the connection. */
  get ended(): Promise<void> {
    return this.#ended.promise;
  }

  /** Answers a message of the server, in a stream of both directions. */
  send(message: Buffer): void {
    this.#connection?.sendCopyFromChunk(message);
  }

  /** Messages that have already arrived still come. */
  pause(): void {
    this.#connection?.stream.pause();
  }

  resume(): void {
    this.#connection?.stream.resume();
  }

  // The rest is called by pg.

  submit(connection: Connection): void {
    this.#connection = connection as CopyConnection;
    connection.once("replicationStart", () => this.#started.resolve());
    connection.query(this.#text);
  }

  handleCopyData({ chunk }: { chunk: Buffer }): void {
    // pg uses the memory of a message again for the next ones.
    this.#see(Buffer.from(chunk));
  }

  handleError(error: Error): void {
    this.#started.reject(error);
    this.#ended.reject(error);
  }

  handleReadyForQuery(): void {
    this.#ended.resolve();
  }

  handleRowDescription(): void {}
  handleDataRow(): void {}
  handleCommandComplete(): void {}
}
