import { log } from "#app/lib/log.server.ts";
import type { Backend, LiveEvents } from "#app/site-contract.server.ts";
import type { Changes } from "./realtime.ts";

const firstPauseMs = 1_000;
const longestPauseMs = 30_000;

interface Parts {
  /** Begins the subscription of this process. Resolves with the function that stops it. */
  join(changes: Changes): Promise<() => void>;
  /** A message as the account of a token reads it; null if it may not, or there is none. */
  readAs(token: string, id: string): Promise<unknown>;
}

/**
 * Passes the changes of one subscription of this process on to the open boards, by their ids alone: each
 * board's row is read with its reader's rights. While there is no subscription, boards are ended and
 * refused, so that none calls itself live. The subscription is begun again after pauses.
 */
export class LiveBoards {
  readonly #parts: Parts;
  readonly #boards = new Set<Board>();
  #stop: (() => void) | undefined;
  #pauseMs = firstPauseMs;
  #timer: NodeJS.Timeout | undefined;
  #isClosed = false;

  constructor(parts: Parts) {
    this.#parts = parts;
    void this.#join();
  }

  /** Whether changes arrive now. */
  get isJoined(): boolean {
    return this.#stop !== undefined;
  }

  readonly listen: Backend["listen"] = async (token, events) => {
    if (!this.isJoined) {
      throw new Error("Realtime reports no changes now");
    }
    const board = new Board(events, (id) => this.#parts.readAs(token, id));
    this.#boards.add(board);
    return () => void this.#boards.delete(board);
  };

  close(): void {
    this.#isClosed = true;
    clearTimeout(this.#timer);
    this.#stop?.();
    this.#end();
  }

  async #join() {
    try {
      const stop = await this.#parts.join({
        onInsert: (id) => this.#boards.forEach((board) => void board.show(id)),
        onChange: () => this.#boards.forEach((board) => board.reload()),
        onEnd: () => this.#end(),
      });
      if (this.#isClosed) {
        return stop();
      }
      this.#stop = stop;
      this.#pauseMs = firstPauseMs;
    } catch {
      log.often("warn", "Boards are not live: Realtime of SUPABASE_URL reports no changes");
      this.#joinLater();
    }
  }

  /** Boards connect again, and then read what they have missed. */
  #end() {
    const wasJoined = this.isJoined;
    this.#stop = undefined;
    for (const board of this.#boards) {
      board.end();
    }
    this.#boards.clear();
    if (wasJoined && !this.#isClosed) {
      this.#joinLater();
    }
  }

  #joinLater() {
    if (!this.#isClosed) {
      this.#timer = setTimeout(() => void this.#join(), this.#pauseMs).unref();
      this.#pauseMs = Math.min(this.#pauseMs * 2, longestPauseMs);
    }
  }
}

/** Reads one row at a time. All that arrives in the meantime is passed on as one change. */
class Board {
  readonly #events: LiveEvents;
  readonly #read: (id: string) => Promise<unknown>;
  #isReading = false;
  #hasMissed = false;

  constructor(events: LiveEvents, read: (id: string) => Promise<unknown>) {
    this.#events = events;
    this.#read = read;
  }

  async show(id: string): Promise<void> {
    if (this.#isReading) {
      this.#hasMissed = true;
      return;
    }
    this.#isReading = true;
    try {
      const row = await this.#read(id);
      if (row !== null) {
        this.#events.onInsert(row);
      }
    } catch {
      this.#hasMissed = true;
    }
    this.#isReading = false;
    if (this.#hasMissed) {
      this.reload();
    }
  }

  reload(): void {
    this.#hasMissed = false;
    this.#events.onChange();
  }

  end(): void {
    this.#events.onEnd();
  }
}
