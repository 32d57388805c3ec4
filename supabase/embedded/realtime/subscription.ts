import { z } from "zod";
import type { Identity } from "./identity.ts";
import type { Change } from "./pgoutput.ts";
import { encodeFrame, type Message } from "./protocol.ts";

// Strict: a filter that is not applied would deliver more than was asked for.
const entrySchema = z.strictObject({
  event: z.enum(["INSERT", "UPDATE"]),
  schema: z.string(),
  table: z.string(),
});

/** The payload of a join, as far as it is read. */
export const joinSchema = z.object({
  access_token: z.string(),
  config: z.object({ postgres_changes: z.array(entrySchema).min(1) }),
});

/** An entry of `postgres_changes`: the inserts or the updates of one table. */
export type Binding = z.infer<typeof entrySchema> & { id: number };

const topicPrefix = "realtime:";

/** A joined channel. Clients join again after `fail`, but not after `close`. */
export class Subscription {
  readonly bindings: Binding[];
  identity: Identity;
  readonly #join: Message;
  readonly #deliver: (frame: string) => void;
  readonly #onEnd: () => void;

  constructor(
    join: Message,
    bindings: Binding[],
    identity: Identity,
    connection: { deliver(frame: string): void; onEnd(): void },
  ) {
    this.bindings = bindings;
    this.identity = identity;
    this.#join = join;
    this.#deliver = connection.deliver;
    this.#onEnd = connection.onEnd;
  }

  /** Whether a frame belongs to this join, not to one that it replaced. */
  hasSent({ joinRef }: Message): boolean {
    return joinRef === this.#join.joinRef;
  }

  /** Returns the ids of the bindings that a change matches. */
  matching({ type, relation }: Pick<Change, "relation"> & Partial<Change>): number[] {
    return this.bindings
      .filter(({ schema, table }) => schema === relation.schema && table === relation.table)
      .filter(({ event }) => type === undefined || event === type)
      .map(({ id }) => id);
  }

  /** Sends a change's event, as JSON text, to the bindings `ids`. */
  sendChange(ids: number[], data: string): void {
    this.#send("postgres_changes", `{"ids":${JSON.stringify(ids)},"data":${data}}`);
  }

  /** Tells the client whether its tables are published. */
  report(arePublished: boolean): void {
    if (arePublished) {
      this.#sendSystem("postgres_changes", "ok", "Subscribed to PostgreSQL");
    } else {
      const text = "Please check Realtime is enabled for the given connect parameters";
      this.#sendSystem("postgres_changes", "error", text);
    }
  }

  close(reason?: string): void {
    if (reason !== undefined) {
      this.#sendSystem("system", "error", reason);
    }
    this.#end("phx_close");
  }

  fail(reason: string): void {
    this.#sendSystem("system", "error", reason);
    this.#end("phx_error");
  }

  #sendSystem(extension: string, status: "ok" | "error", message: string) {
    const { joinRef, topic } = this.#join;
    const channel = topic.slice(topicPrefix.length);
    this.#send("system", JSON.stringify({ extension, status, message, channel }), { joinRef });
  }

  #end(event: "phx_close" | "phx_error") {
    const { joinRef } = this.#join;
    this.#onEnd();
    this.#send(event, "{}", { joinRef, ref: joinRef });
  }

  #send(event: string, payload: string, refs: Partial<Message> = {}) {
    const { topic } = this.#join;
    this.#deliver(encodeFrame({ joinRef: null, ref: null, topic, ...refs }, event, payload));
  }
}
