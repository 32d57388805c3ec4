import { EventEmitter } from "node:events";
import { Socket } from "node:net";

import {
  errorResponse,
  FAILED,
  IDLE,
  MessageReader,
  QUERY,
  READY_FOR_QUERY,
  readyForQuery,
  SYNC,
  writtenMessages,
} from "./wire.ts";

/** SQLSTATE connection_failure. */
const BROKEN = errorResponse("08006", "The connection to the database ended");

/**
 * A Unix socket to Postgres for postgres.js 3.4.9, which does not survive a connection that
 * breaks inside a transaction: the transaction's next statement, its own rollback included,
 * kills the process (porsager/postgres#1208) or runs in whatever transaction got the connection
 * next (#1216). When the connection breaks, this socket goes on as a server that answers every
 * statement with an error, until the transaction has ended; then postgres.js hears of it.
 */
export class TransactionSocket extends EventEmitter {
  #socket = new Socket();
  #reader = new MessageReader();
  /** Transaction status of the last ReadyForQuery; undefined during the handshake. */
  #status: string | undefined;
  /** Written messages that Postgres has yet to answer with ReadyForQuery. */
  #awaited = 0;
  /** Messages were written after the last of those. */
  #unsynced = false;
  /** The next ReadyForQuery comes after a commit or rollback. */
  #ending = false;
  /** Names of prepared statements that end a transaction. */
  #endings = new Set<string>();
  #broken = false;
  #error: Error | undefined;
  #writes = 0;

  /** Gives a socket in every case: one that could not connect says so at the first write. */
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
        this.#tellUnopened();
      }
      return;
    }
    for (; this.#awaited > 0; this.#awaited -= 1) {
      this.#answer(BROKEN, this.#readiness());
    }
    if (this.#unsynced) {
      this.#answer(BROKEN);
    }
    this.#closeWhenIdle();
  }

  #received(type: string, first: string): void {
    if (type !== READY_FOR_QUERY) {
      return;
    }
    this.#status = first;
    this.#awaited = Math.max(0, this.#awaited - 1);
    if (first === IDLE) {
      this.#ending = false;
    }
  }

  /** As Socket's; `done` is called when the bytes were handed over. */
  write(bytes: Buffer, done?: () => void): boolean {
    this.#writes += 1;
    if (this.#broken && this.#status === undefined) {
      this.#tellUnopened();
      return true;
    }
    // The handshake's first message has no type.
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

  /** Keeps count of what is written; gives what a broken connection answers to it. */
  #written(bytes: Buffer): (() => Buffer[])[] {
    const answers: (() => Buffer[])[] = [];
    for (const { type, texts } of writtenMessages(bytes)) {
      this.#noteEnding(type, texts);
      const completes = type === SYNC || type === QUERY;
      const failed = this.#unsynced && type === SYNC;
      if (!this.#broken && completes) {
        this.#awaited += 1;
      }
      if (completes) {
        answers.push(() => [...(failed ? [] : [BROKEN]), this.#readiness()]);
      } else if (!this.#unsynced) {
        answers.push(() => [BROKEN]);
      }
      this.#unsynced = !completes;
    }
    return answers;
  }

  #noteEnding(type: string, [first = "", second = ""]: string[]): void {
    const ends = /^(commit|rollback)$/i;
    if (type === "P" && ends.test(second) && first) {
      this.#endings.add(first);
    }
    this.#ending ||=
      (type === QUERY && ends.test(first)) ||
      (type === "P" && ends.test(second)) ||
      (type === "B" && this.#endings.has(second));
  }

  #readiness(): Buffer {
    this.#status = this.#ending || this.#status === IDLE ? IDLE : FAILED;
    return readyForQuery(this.#status);
  }

  #answer(...messages: Buffer[]): void {
    for (const message of messages) {
      this.emit("data", message);
    }
  }

  /**
   * Told between a query and its write, or while somebody holds it, postgres.js loses track of a
   * connection; so it is told from a timer, after turns of the event loop without a write.
   */
  #closeWhenIdle(): void {
    if (this.#status !== IDLE) {
      return;
    }
    const writes = this.#writes;
    const tell = () => {
      if (writes === this.#writes) {
        this.emit("close", false);
      }
    };
    setTimeout(() => setImmediate(() => setTimeout(tell, 0)), 0);
  }

  #tellUnopened(): void {
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
