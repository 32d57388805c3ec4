import type { IncomingHttpHeaders } from "node:http";
import { isFetchedAhead } from "#app/lib/accepts-page.ts";
import { log } from "#app/lib/log.server.ts";
import { tapNames } from "#app/models/counts.server.ts";
import { fileDate } from "#app/models/date.server.ts";
import type { Backend, Counters } from "#app/site-contract.server.ts";

const minuteMs = 60_000;
/** Timers may fire a moment early, which would be on the day before. */
const marginMs = 50;

/** Programs that say so, previews of links among them. Programs without a name are no browsers. */
const program = /bot|crawl|spider|preview|external|whatsapp|lighthouse|curl|wget|python|^$/i;

/**
 * Counts in memory and saves once a minute. A number is never too high: the counts of a minute are given up
 * if it is unknown whether the database has stored them. A kill loses a minute.
 */
export class VisitCounters implements Counters {
  readonly #backend: Pick<Backend, "callAsSite">;
  #numbers = new Map<string, number>();
  /** The day of the last save. A minute never belongs to two days. */
  #day = fileDate(new Date());
  #timer: NodeJS.Timeout | undefined;

  constructor(backend: Pick<Backend, "callAsSite">) {
    this.#backend = backend;
    this.#saveEachMinute();
  }

  countView(headers: IncomingHttpHeaders): void {
    // Old browsers do not send this header. Others do not let a page forge it, for example by an image.
    const isPage = (headers["sec-fetch-dest"] ?? "document") === "document";
    const isAhead = isFetchedAhead((name) => headers[name]);
    if (isPage && !isAhead && !program.test(headers["user-agent"] ?? "")) {
      this.#count("view");
    }
  }

  countTap(name: string): void {
    if (tapNames.has(name)) {
      this.#count(name);
    }
  }

  get unsaved(): ReadonlyMap<string, number> {
    return this.#numbers;
  }

  async save(): Promise<void> {
    const [day, numbers] = [this.#day, this.#numbers];
    this.#day = fileDate(new Date());
    this.#numbers = new Map();
    if (numbers.size === 0) {
      return;
    }
    try {
      await this.#backend.callAsSite("add_counts", { day, numbers: Object.fromEntries(numbers) });
    } catch (error) {
      log.warn("A minute of visits was not counted", {
        reason: error instanceof Error ? error.message : "no Error",
      });
    }
  }

  close(): Promise<void> {
    clearTimeout(this.#timer);
    return this.save();
  }

  #count(what: string) {
    this.#numbers.set(what, (this.#numbers.get(what) ?? 0) + 1);
  }

  #saveEachMinute() {
    const delay = minuteMs + marginMs - (Date.now() % minuteMs);
    this.#timer = setTimeout(() => {
      void this.save();
      this.#saveEachMinute();
    }, delay).unref();
  }
}
