import { z } from "zod";
import { log, logFault } from "#app/lib/log.server.ts";
import type { Absence } from "#app/lib/working-time.ts";
import { awayText } from "#app/models/absences.server.ts";
import { fileDate } from "#app/models/date.server.ts";
import type { Absences, Backend } from "#app/site-contract.server.ts";

const minuteMs = 60_000;

const rowsSchema = z.array(
  z
    .object({ first_day: z.string(), last_day: z.string() })
    .transform(({ first_day: first, last_day: last }): Absence => ({ first, last })),
);

/**
 * The owner's absences, read each minute: another process of the site may have changed them. While the database
 * does not answer, they are what was known last.
 */
export class OwnersAbsences implements Absences {
  readonly #backend: Pick<Backend, "callAsSite">;
  #list: readonly Absence[] = [];
  /** What pages and boards say by them and by the day. */
  #said = this.#says();
  #onChange: () => Promise<void> = async () => undefined;
  #reading = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(backend: Pick<Backend, "callAsSite">) {
    this.#backend = backend;
  }

  get list(): readonly Absence[] {
    return this.#list;
  }

  /**
   * Reads them now and each minute. Calls `onChange` if what the pages say has changed, also by the time alone,
   * and again a minute later if that failed. A clock that is asked each minute also works after a suspension.
   */
  watch(onChange: () => Promise<void>): void {
    this.#onChange = onChange;
    this.#timer = setInterval(() => void this.read(), minuteMs).unref();
    void this.read();
  }

  /** One after the other, so that an older answer never replaces a newer one. */
  read(): Promise<void> {
    this.#reading = this.#reading.then(() => this.#readNow());
    return this.#reading;
  }

  close(): void {
    clearInterval(this.#timer);
  }

  #says(): string {
    const now = new Date();
    return JSON.stringify([this.#list, awayText(this.#list, now.getTime()), fileDate(now)]);
  }

  async #readNow() {
    try {
      const read = rowsSchema.parse(await this.#backend.callAsSite("read_absences", {}));
      if (JSON.stringify(read) !== JSON.stringify(this.#list)) {
        this.#list = read;
      }
    } catch (error) {
      log.often("warn", "The owner's absences were not read", {
        reason: error instanceof Error ? error.message : "no Error",
      });
    }
    const said = this.#says();
    if (said !== this.#said) {
      try {
        await this.#onChange();
        this.#said = said;
      } catch (error) {
        logFault("The pages do not say the day or the absence", error);
      }
    }
  }
}
