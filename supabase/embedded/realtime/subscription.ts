import { z } from "zod";
import { subscription } from "#embedded/calls.ts";
import { type Change, schema } from "./capture.ts";
import type { Identity } from "./identity.ts";
import { encodeFrame, type Message } from "./protocol.ts";

// Strict: a filter that is not applied would deliver more than was asked for.
const entrySchema = z.union(
  subscription.changes.map(({ event, table }) =>
    z.strictObject({
      event: z.literal(event),
      schema: z.literal(schema),
      table: z.literal(table),
    }),
  ),
);

/** The payload of a join, as far as it is read. */
export const joinSchema = z.object({
  access_token: z.string(),
  config: z.object({ postgres_changes: z.array(entrySchema).min(1) }),
});

/** An entry of `postgres_changes`: the inserts or the updates of a table. */
type Binding = z.infer<typeof entrySchema> & { id: number };

const topicPrefix = "realtime:";

/** A joined channel. Clients join again after `fail`, but not after `close`. */
export class Subscription {
  readonly #bindings: Binding[];
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
    this.#bindings = bindings;
    this.identity = identity;
    this.#join = join;
    this.#deliver = connection.deliver;
    this.#onEnd = connection.onEnd;
  }

  /** Whether a frame belongs to this join, not to one that it replaced. */
  hasSent({ joinRef }: Message): boolean {
    return joinRef === this.#join.joinRef;
  }

  /** Sends a change to the bindings of its type and table. Without its row the event has `errors`. */
  sendChange({ type, table, committedAt }: Change, record: object | undefined): void {
    const ids = this.#bindings
      .filter((binding) => binding.event === type && binding.table === table)
      .map(({ id }) => id);
    if (ids.length > 0) {
      const errors = record === undefined ? ["The row could not be read"] : null;
      const head = { schema, table, type, commit_timestamp: committedAt };
      // The client needs the types of columns to read texts, and a row of JSON has its own.
      const data = { ...head, columns: [], record: record ?? {}, errors };
      this.#send("postgres_changes", { ids, data });
    }
  }

  /** Tells the client whether its changes are published. */
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
    this.#send("system", { extension, status, message, channel }, { joinRef });
  }

  #end(event: "phx_close" | "phx_error") {
    const { joinRef } = this.#join;
    this.#onEnd();
    this.#send(event, {}, { joinRef, ref: joinRef });
  }

  #send(event: string, payload: object, refs: Partial<Message> = {}) {
    const { topic } = this.#join;
    this.#deliver(encodeFrame({ joinRef: null, ref: null, topic, ...refs }, event, payload));
  }
}
