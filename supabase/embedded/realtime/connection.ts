import { type Duplex } from "node:stream";
import { type RawData, type WebSocket } from "ws";
import { type Channel, removeChannel } from "./channel.ts";
import { type Context } from "./context.ts";
import { join, takeToken } from "./join.ts";
import { decodeMessage, encodeMessage, type Message, type Version } from "./protocol.ts";
import { createRate } from "./rate.ts";

export interface Connection {
  version: Version;
  /** The role of the API key that the socket was opened with. */
  role: string;
  /** Joined channels by topic. */
  channels: Map<string, Channel>;
  isOpen(): boolean;
  send(message: Message): void;
  reply(to: Message, status: "ok" | "error", response: object): void;
  sendFrame(frame: Buffer): void;
  cork(): void;
  uncork(): void;
  /** `performance.now()` of the last frame from the client. */
  lastHeard(): number;
  close(code: number, reason: string): void;
  terminate(): void;
}

/**
 * Serves one socket until it closes (contract section 2): frames are handled one after another,
 * so a join and the token that follows it keep their order.
 */
export function serveConnection(
  webSocket: WebSocket,
  socket: Duplex,
  { version, role }: { version: Version; role: string },
  context: Context,
): Connection {
  const { limits, log } = context;
  const withinFrames = createRate(limits.framesPerSecond);
  const withinJoins = createRate(limits.joinsPerSecond);
  let waiting = 0;
  let lastHeard = performance.now();
  let handling = Promise.resolve();

  const connection: Connection = {
    version,
    role,
    channels: new Map(),
    isOpen: () => webSocket.readyState === webSocket.OPEN,
    send: (message) => connection.sendFrame(encodeMessage(version, message)),
    reply: ({ joinRef, ref, topic }, status, response) =>
      connection.send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } }),
    sendFrame(frame) {
      if (!connection.isOpen()) {
        return;
      }
      // Who reads too slowly is cut off, comes back and reads anew.
      if (webSocket.bufferedAmount > limits.sendBufferBytes) {
        webSocket.terminate();
      } else {
        webSocket.send(frame, { binary: false });
      }
    },
    cork: () => socket.cork(),
    uncork: () => socket.uncork(),
    lastHeard: () => lastHeard,
    close: (code, reason) => webSocket.close(code, reason),
    terminate: () => webSocket.terminate(),
  };

  webSocket.on("message", (data: RawData, isBinary: boolean) => {
    lastHeard = performance.now();
    if (!withinFrames()) {
      return webSocket.close(1008, "too many frames");
    }
    const message = decodeMessage(version, data as Buffer, isBinary);
    if (!message) {
      return webSocket.close(1007, "malformed frame");
    }
    if (message.event === "phx_join" && !withinJoins()) {
      return connection.reply(message, "error", {
        reason: "ClientJoinRateLimitReached: Too many joins per second",
      });
    }
    if (waiting >= limits.framesWaiting) {
      return webSocket.close(1008, "too many frames");
    }
    waiting += 1;
    handling = handling
      .then(() => (connection.isOpen() ? handle(message, connection, context) : undefined))
      .catch((error: unknown) => {
        log(`Realtime could not handle ${message.event} (${(error as Error).name}).`);
        webSocket.close(1011, "internal error");
      })
      .finally(() => (waiting -= 1));
  });
  webSocket.on("close", () => {
    for (const channel of connection.channels.values()) {
      context.channels.delete(channel);
    }
    connection.channels.clear();
  });
  // A 'close' follows every error, and tells all there is to do.
  webSocket.on("error", () => undefined);
  return connection;
}

async function handle(message: Message, connection: Connection, context: Context): Promise<void> {
  const { topic, event, joinRef } = message;
  if (topic === "phoenix") {
    if (event === "heartbeat") {
      connection.reply(message, "ok", {});
    }
    return;
  }
  if (event === "phx_join") {
    return join(message, connection, context);
  }
  const channel = connection.channels.get(topic);
  if (event === "phx_leave") {
    connection.reply(message, "ok", {});
    if (channel && channel.joinRef === joinRef) {
      removeChannel(channel, connection, context);
    }
    return;
  }
  if (!channel) {
    return connection.reply(message, "error", { reason: "unmatched topic" });
  }
  // A late frame of a join that another one has replaced.
  if (joinRef !== null && joinRef !== channel.joinRef) {
    return;
  }
  if (event === "access_token") {
    return takeToken(message.payload, channel, context);
  }
  if (event === "broadcast" || event === "presence") {
    connection.reply(message, "error", { reason: `This server does not relay ${event}` });
  }
}
