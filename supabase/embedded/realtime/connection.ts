import type { Duplex } from "node:stream";
import type { RawData, WebSocket } from "ws";
import { closeChannel } from "./channel.ts";
import { handleAccessToken, join } from "./join.ts";
import { createRateLimit } from "./limits.ts";
import { decodeMessage, encodeMessage } from "./protocol.ts";
import type { Connection, Context, Message, Serializer } from "./types.ts";

/** Handles the frames of one socket in order until it closes (CONTRACT.md, "Frames"). */
export function serveConnection(
  webSocket: WebSocket,
  socket: Duplex,
  { serializer, role }: { serializer: Serializer; role: string },
  context: Context,
): Connection {
  const { limits, log, limitReached } = context;
  const isWithinFrames = createRateLimit(limits.framesPerSecond);
  const isWithinJoins = createRateLimit(limits.joinsPerSecond);
  let waiting = 0;
  let lastHeard = performance.now();
  let handling = Promise.resolve();

  const connection: Connection = {
    serializer,
    role,
    channels: new Map(),
    isOpen: () => webSocket.readyState === webSocket.OPEN,
    send: (message) => connection.sendFrame(encodeMessage(serializer, message)),
    sendFrame(frame) {
      if (!connection.isOpen()) {
        return;
      }
      // The client reads too slowly. It will reconnect and reload.
      if (webSocket.bufferedAmount > limits.sendBufferBytes) {
        limitReached("realtimeUnread");
        webSocket.terminate();
      } else {
        webSocket.send(frame, { binary: false });
      }
    },
    reply: ({ joinRef, ref, topic }, status, response) =>
      connection.send({ joinRef, ref, topic, event: "phx_reply", payload: { status, response } }),
    cork: () => socket.cork(),
    uncork: () => socket.uncork(),
    lastHeard: () => lastHeard,
    close: (code, reason) => webSocket.close(code, reason),
    terminate: () => webSocket.terminate(),
  };

  const endFlood = () => {
    limitReached("realtimeFrames");
    webSocket.close(1008, "too many frames");
  };
  webSocket.on("message", (data: RawData, isBinary: boolean) => {
    lastHeard = performance.now();
    if (!isWithinFrames()) {
      return endFlood();
    }
    const message = decodeMessage(serializer, data as Buffer, isBinary);
    if (!message) {
      return webSocket.close(1007, "malformed frame");
    }
    if (message.event === "phx_join" && !isWithinJoins()) {
      limitReached("realtimeJoins");
      return connection.reply(message, "error", {
        reason: "ClientJoinRateLimitReached: Too many joins per second",
      });
    }
    if (waiting >= limits.framesWaiting) {
      return endFlood();
    }
    waiting += 1;
    handling = handling
      .then(() => (connection.isOpen() ? handle(message, connection, context) : undefined))
      .catch((error: unknown) => {
        log.error("Realtime could not handle a frame", { error: (error as Error).name });
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
  // Every error is followed by 'close'.
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
      closeChannel(channel, context.channels);
    }
    return;
  }
  if (!channel) {
    return connection.reply(message, "error", { reason: "unmatched topic" });
  }
  // The frame belongs to a replaced join.
  if (joinRef !== null && joinRef !== channel.joinRef) {
    return;
  }
  if (event === "access_token") {
    return handleAccessToken(message.payload, channel, context);
  }
  if (event === "broadcast" || event === "presence") {
    connection.reply(message, "error", { reason: `This server does not relay ${event}` });
  }
}
