import { EventEmitter } from "node:events";
import { Socket } from "node:net";
import {
  errorResponse,
  MessageReader,
  messageType,
  readyForQuery,
  transactionStatus,
  writtenMessages,
} from "./wire.ts";

const namesStatement = new Set([messageType.query, messageType.parse, messageType.bind]);
/** SQLSTATE connection_failure. */
const broken = errorResponse("08006", "The connection to the database ended");

/**
 * A Unix socket for postgres.js 3.4.9. If a connection breaks inside a transaction, the next statement
 * ends the process (porsager/postgres#1133, #1208) or runs in another transaction (#1216). This
 * socket instead answers every statement with an error until the transaction ends.
 * Delete this file and wire.ts when a release passes tests/contract/engine-connections.test.ts
 * without them (PRs #1209 and #1215).
 */
export class TransactionSocket extends EventEmitter {
  #socket = new Socket();
  #reader = new MessageReader();
  /** Transaction status of the last ReadyForQuery; undefined during the handshake. */
  #status: string | undefined;
  /** Number of Sync and Query messages that have no ReadyForQuery yet. */
  #awaited = 0;
  #unsynced = false;
  /** Whether a commit or rollback was sent and is not answered yet. */
  #ending = false;
  #endings = new Set<string>();
  #broken = false;
  #error: Error | undefined;
  #writes = 0;

  /** Never rejects: a failed connect is reported at the first write. */
  static async open(path: string): Promise<TransactionSocket> {
    const opened = new TransactionSocket();
    await new Promise<void>((resolve) => {
      opened.#socket.once("connect", resolve).once("close", () => resolve());
      opened.#socket.connect(path);
    });
    return opened;
  }

  private constructor() {
    super();
    this.#socket.on("data", (bytes: Buffer) => {
      this.#reader.read(bytes, (type, first) => this.#received(type, first));
      this.emit("data", bytes);
    });
    this.#socket.on("drain", () => this.emit("drain"));
    this.#socket.on("error", (error) => (this.#error = error));
    this.#socket.on("close", () => this.#closed());
  }

  #closed(): void {
    this.#broken = true;
    if (this.#status === undefined) {
      if (this.#writes > 0) {
        this.#reportUnopened();
      }
      return;
    }
    for (; this.#awaited > 0; this.#awaited -= 1) {
      this.#answer(broken, this.#readiness());
    }
    if (this.#unsynced) {
      this.#answer(broken);
    }
    this.#closeWhenIdle();
  }

  #received(type: string, first: string): void {
    if (type !== messageType.readyForQuery) {
      return;
    }
    this.#status = first;
    this.#awaited = Math.max(0, this.#awaited - 1);
    if (first === transactionStatus.idle) {
      this.#ending = false;
    }
  }

  write(bytes: Buffer, done?: () => void): boolean {
    this.#writes += 1;
    if (this.#broken && this.#status === undefined) {
      this.#reportUnopened();
      return true;
    }
    // The startup message has no type byte.
    const answers = this.#status === undefined ? [] : this.#written(bytes);
    if (!this.#broken) {
      return this.#socket.write(bytes, done);
    }
    process.nextTick(() => {
      for (const answer of answers) {
        this.#answer(...answer());
      }
      this.#closeWhenIdle();
    });
    return true;
  }

  /** Tracks the messages of a write. Returns the answers for a broken connection. */
  #written(bytes: Buffer): (() => Buffer[])[] {
    const answers: (() => Buffer[])[] = [];
    for (const { type, texts } of writtenMessages(bytes)) {
      if (namesStatement.has(type)) {
        this.#noteEnding(type, texts());
      }
      const completes = type === messageType.sync || type === messageType.query;
      const failed = this.#unsynced && type === messageType.sync;
      if (!this.#broken && completes) {
        this.#awaited += 1;
      }
      if (completes) {
        answers.push(() => [...(failed ? [] : [broken]), this.#readiness()]);
      } else if (!this.#unsynced) {
        answers.push(() => [broken]);
      }
      this.#unsynced = !completes;
    }
    return answers;
  }

  #noteEnding(type: string, [first = "", second = ""]: string[]): void {
    const ends = /^(commit|rollback)$/i;
    if (type === messageType.parse && ends.test(second) && first) {
      this.#endings.add(first);
    }
    this.#ending ||=
      (type === messageType.query && ends.test(first)) ||
      (type === messageType.parse && ends.test(second)) ||
      (type === messageType.bind && this.#endings.has(second));
  }

  #readiness(): Buffer {
    this.#status =
      this.#ending || this.#status === transactionStatus.idle
        ? transactionStatus.idle
        : transactionStatus.failed;
    return readyForQuery(this.#status);
  }

  #answer(...messages: Buffer[]): void {
    for (const message of messages) {
      this.emit("data", message);
    }
  }

  /** postgres.js loses track of a connection that closes between a query and its write. */
  #closeWhenIdle(): void {
    const writes = this.#writes;
    const report = () => {
      if (writes === this.#writes) {
        this.emit("close", false);
      }
    };
    if (this.#status === transactionStatus.idle) {
      setTimeout(() => setImmediate(() => setTimeout(report, 0)), 0);
    }
  }

  #reportUnopened(): void {
    if (this.#error) {
      this.emit("error", this.#error);
    }
    this.emit("close", this.#error !== undefined);
  }

  get readyState(): string {
    return this.#broken ? "closed" : this.#socket.readyState;
  }

  end(bytes: Buffer): void {
    this.#socket.end(bytes);
  }

  destroy(): void {
    this.#socket.destroy();
  }

  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }
}
