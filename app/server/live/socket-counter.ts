import type { Duplex } from "node:stream";

/** Counts open sockets, in all and by key. */
export class SocketCounter {
  #all = 0;
  readonly #byKey = new Map<string, number>();

  get all(): number {
    return this.#all;
  }

  of(key: string): number {
    return this.#byKey.get(key) ?? 0;
  }

  /** Counts a socket until it closes. */
  add(key: string, socket: Duplex): void {
    this.#change(key, 1);
    socket.once("close", () => this.#change(key, -1));
  }

  #change(key: string, by: 1 | -1) {
    this.#all += by;
    const count = this.of(key) + by;
    if (count > 0) {
      this.#byKey.set(key, count);
    } else {
      this.#byKey.delete(key);
    }
  }
}
