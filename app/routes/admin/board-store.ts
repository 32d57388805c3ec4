import type { BoardMessage } from "#app/models/inbox.ts";

export interface Arrival {
  message: BoardMessage;
  /** How many loads had begun. */
  loads: number;
}

/** What a tab remembers of the board outside of its components. The server never writes to it. */
class BoardStore {
  #loads = 0;
  #arrived = 0;

  /** How many live messages have arrived. */
  get arrived(): number {
    return this.#arrived;
  }

  /** Marks the start of a load, which includes all messages that arrived before. */
  startLoad(): void {
    this.#loads += 1;
  }

  arrive(message: BoardMessage): Arrival {
    this.#arrived += 1;
    return { message, loads: this.#loads };
  }

  isInLoad = ({ loads }: Arrival): boolean => loads < this.#loads;
}

export const boardStore = new BoardStore();
