import type { BoardMessage } from "#app/models/inbox.ts";

export interface Arrival {
  message: BoardMessage;
  order: number;
}

/** What a tab remembers of the board outside of its components. The server never writes to it. */
class BoardStore {
  #arrived = 0;
  #arrivedBeforeLoad = 0;

  /** Numbers a live message in the order of arrival. */
  arrive(message: BoardMessage): Arrival {
    this.#arrived += 1;
    return { message, order: this.#arrived };
  }

  /** Marks the start of a load, which includes all messages that arrived before. */
  startLoad(): void {
    this.#arrivedBeforeLoad = this.#arrived;
  }

  isInLoad({ order }: Arrival): boolean {
    return order <= this.#arrivedBeforeLoad;
  }
}

export const boardStore = new BoardStore();
