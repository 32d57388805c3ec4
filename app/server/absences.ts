import { z } from "zod";
import { log } from "#app/lib/log.server.ts";
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
  /** What pages and boards say by them. */
  #said = "";
  #onChange: () => Promise<void> = async () => undefined;
  #reading = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;

  constructor(backend: Pick<Backend, "callAsSite">) {
    this.#backend = backend;
  }

  get list(): readonly Absence[] {
    return this.#list;
  }

  /** Reads them now and each minute. Calls `onChange` if their texts on the pages change, also by the time alone. */
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
    const now = new Date();
    const said = JSON.stringify([
      this.#list,
      awayText(this.#list, now.getTime()),
      this.#list.length > 0 && fileDate(now),
    ]);
    if (said !== this.#said) {
      this.#said = said;
      await this.#onChange();
    }
  }
}
