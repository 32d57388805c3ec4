interface Line {
  running: number;
  waiting: (() => void)[];
}

/**
 * Lets clients work in turn: at most `most` works at once in all and `mostOfOne` of one client. Free
 * places go round the clients, so that one with many requests delays only its own.
 */
export class FairQueue {
  readonly #most: number;
  readonly #mostOfOne: number;
  /** The clients with work. Who was served last is at the end. */
  readonly #lines = new Map<string, Line>();
  #running = 0;

  constructor({ most, mostOfOne }: { most: number; mostOfOne: number }) {
    this.#most = most;
    this.#mostOfOne = mostOfOne;
  }

  /** How many works of a client wait. */
  waiting(client: string): number {
    return this.#lines.get(client)?.waiting.length ?? 0;
  }

  /** Does the work when its turn comes. Returns its result, rejects if it fails. */
  async run<T>(client: string, work: () => Promise<T>): Promise<T> {
    const line = this.#lines.get(client) ?? { running: 0, waiting: [] };
    this.#lines.set(client, line);
    const turn = new Promise<void>((resolve) => line.waiting.push(resolve));
    this.#serve();
    await turn;
    try {
      return await work();
    } finally {
      line.running -= 1;
      this.#running -= 1;
      if (line.running === 0 && line.waiting.length === 0) {
        this.#lines.delete(client);
      }
      this.#serve();
    }
  }

  #serve(): void {
    for (const [client, line] of this.#lines) {
      if (this.#running >= this.#most) {
        return;
      }
      const start = line.running < this.#mostOfOne ? line.waiting.shift() : undefined;
      if (start) {
        line.running += 1;
        this.#running += 1;
        // A key that is set again comes to the end, and the loop meets it once more.
        this.#lines.delete(client);
        this.#lines.set(client, line);
        start();
      }
    }
  }
}
