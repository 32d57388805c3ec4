import type { LimitFunction } from "p-limit";
import type { Log } from "#embedded/log.ts";
import type { SqlPool } from "#embedded/sql.ts";
import type { AccessClaims } from "#embedded/tokens.ts";
import type { Change } from "./changes.ts";

export interface LiveEvents {
  /** A row was inserted that the account may see. */
  onInsert(row: object): void;
  /**
   * Other rows that the account may see have changed, or a change was missed: the rows must be read again.
   */
  onChange(): void;
  /** Nothing more will come: the token has expired, or the connection to the database was lost. */
  onEnd(): void;
}

/** What listeners share. */
export interface Reading {
  pool: SqlPool;
  log: Log;
  /** Lets as many listeners read at once as the pool has connections. */
  inTurn: LimitFunction;
  /** All listeners. */
  listeners: Set<Listener>;
}

/** A listener that is slower than this gets one reload instead. */
const maxWaiting = 1_000;
const maxBatch = 100;

/** Tells one session of changes, in order. */
export class Listener {
  readonly #claims;
  readonly #events;
  readonly #reading;
  /** Undefined stands for all changes that came while too many were waiting. */
  #waiting: (Change | undefined)[] = [];
  #isReading = false;

  constructor(claims: AccessClaims, events: LiveEvents, reading: Reading) {
    this.#claims = claims;
    this.#events = events;
    this.#reading = reading;
  }

  hear(change: Change): void {
    if (this.#waiting.length === maxWaiting) {
      this.#waiting = [undefined];
    }
    this.#waiting.push(change);
    if (!this.#isReading) {
      void this.#read();
    }
  }

  /** Stops, and calls `onEnd`. */
  end(): void {
    if (this.#reading.listeners.delete(this)) {
      this.#events.onEnd();
    }
  }

  async #read() {
    this.#isReading = true;
    while (this.#waiting.length > 0 && this.#reading.listeners.has(this)) {
      // Changes that arrive before its turn are read together.
      await this.#reading.inTurn(() => this.#tell());
    }
    this.#isReading = false;
  }

  async #tell() {
    const { pool, log, listeners } = this.#reading;
    const changes = this.#waiting.splice(0, maxBatch);
    if (this.#claims.exp * 1000 <= Date.now()) {
      return this.end();
    }
    const known = changes.filter((change) => change !== undefined);
    const rows = await readAs(pool, this.#claims, known).catch((error: { code?: string }) => {
      // The message is left out, because it can quote values of a row.
      log.error("Live updates could not read rows as an account", { code: error.code });
      return undefined;
    });
    for (const change of rows ? changes : [undefined]) {
      const seen = change?.ids.flatMap((id) => rows?.get(id) ?? []);
      if (!listeners.has(this)) {
        return;
      }
      if (change?.kind === "insert") {
        seen?.forEach((row) => this.#events.onInsert(row));
      } else if (seen?.length !== 0) {
        this.#events.onChange();
      }
    }
  }
}

/** Returns the rows of changes that an account may see, by id. Row level security decides. */
function readAs(
  pool: SqlPool,
  claims: AccessClaims,
  changes: Change[],
): Promise<ReadonlyMap<string, object>> {
  return pool.begin(async (sql) => {
    await sql`select
      set_config('role', 'authenticated', true),
      set_config('request.jwt.claims', ${JSON.stringify(claims)}, true)`;
    const rows = new Map<string, object>();
    for (const table of new Set(changes.map((change) => change.table))) {
      const ids = changes
        .filter((change) => change.table === table)
        .flatMap((change) => change.ids);
      const seen = await sql.unsafe<{ id: string; row: object }>(
        `select id::text, to_jsonb(t) as row from ${table} t where id = any($1::uuid[])`,
        [ids],
      );
      seen.forEach(({ id, row }) => rows.set(id, row));
    }
    return rows;
  }, "read only");
}
