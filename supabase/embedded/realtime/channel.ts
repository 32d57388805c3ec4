import { type Binding } from "./bindings.ts";
import { type Group } from "./checker.ts";
import { type Connection } from "./connection.ts";
import { type Context } from "./context.ts";
import { type Message, type Version } from "./protocol.ts";

/** What the topic of every channel but phoenix starts with. */
export const PREFIX = "realtime:";

/** Who a channel speaks for, by the last token that it gave. */
export type Identity = Group & {
  /** Undefined for an API key, which does not expire. */
  token: string | undefined;
  /** Seconds since 1970. */
  expiresAt: number | undefined;
  sessionId: string | undefined;
};

export interface Channel {
  topic: string;
  joinRef: string | null;
  version: Version;
  identity: Identity;
  /** What the join asked for; empty if it cannot be understood. */
  requested: Binding[];
  /** What is delivered: all of `requested`, or nothing while the role may not have it. */
  bindings: Binding[];
  /** Sends a finished frame. */
  send(frame: Buffer): void;
  /** Holds frames back until `uncork`, so that many become one write. */
  cork(): void;
  uncork(): void;
  /** Sends a system message (contract section 4). */
  system(extension: string, status: "ok" | "error", text: string): void;
  /** Tells the client why and ends the channel; it does not join again by itself. */
  close(reason: string): void;
  /** Ends the channel; the client joins again at once. */
  fail(reason: string): void;
}

/** Whether the token of an identity has run out; an API key never does. */
export function hasExpired({ expiresAt }: Identity, now: number): boolean {
  return expiresAt !== undefined && expiresAt * 1000 <= now;
}

/** A channel of one connection, not yet known to anybody. */
export function createChannel(
  { topic, joinRef }: Message,
  identity: Identity,
  requested: Binding[],
  connection: Connection,
  context: Context,
): Channel {
  const system = (extension: string, status: "ok" | "error", text: string) =>
    connection.send({
      joinRef,
      ref: null,
      topic,
      event: "system",
      payload: { extension, status, message: text, channel: topic.slice(PREFIX.length) },
    });
  const channel: Channel = {
    topic,
    joinRef,
    version: connection.version,
    identity,
    requested,
    bindings: [],
    send: connection.sendFrame,
    cork: connection.cork,
    uncork: connection.uncork,
    system,
    close(reason) {
      system("system", "error", reason);
      removeChannel(channel, connection, context);
    },
    fail(reason) {
      system("system", "error", reason);
      context.channels.delete(channel);
      connection.channels.delete(topic);
      connection.send({ joinRef, ref: joinRef, topic, event: "phx_error", payload: {} });
    },
  };
  return channel;
}

/** Forgets a channel and tells the client that it is closed. */
export function removeChannel(channel: Channel, connection: Connection, context: Context): void {
  const { topic, joinRef } = channel;
  context.channels.delete(channel);
  connection.channels.delete(topic);
  connection.send({ joinRef, ref: joinRef, topic, event: "phx_close", payload: {} });
}
