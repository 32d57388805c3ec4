import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { addressKey, networkKey } from "#supabase/shared/address.ts";
import { createLimitLog } from "#supabase/shared/limit-log.ts";
import { serveConnection } from "./connection.ts";
import { startFeed } from "./feed.ts";
import { admit, refuse } from "./handshake.ts";
import { defaultRealtimeLimits, maxFrameBytes, type RealtimeLimits } from "./limits.ts";
import { startSweeper } from "./sweeper.ts";
import type { Channel, Connection, Context } from "./types.ts";

export interface Realtime {
  /** Upgrades a request for /realtime/v1/websocket, or rejects it with an HTTP error. */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    client: { address: string; isSite?: boolean },
  ): void;
  /** Closes every socket with 1012, after which clients reconnect. Waits until all have closed. */
  close(): Promise<void>;
}

type RealtimeOptions = Pick<Context, "database" | "keys" | "now" | "log"> & {
  limits?: Partial<RealtimeLimits>;
};

const closeTimeoutMs = 1_000;

/** Serves publication supabase_realtime (CONTRACT.md). Rejects if the database does not answer. */
export async function createRealtime(options: RealtimeOptions): Promise<Realtime> {
  const { database, keys, now, log } = options;
  const limits = { ...defaultRealtimeLimits, ...options.limits };
  const channels = new Set<Channel>();
  const feed = await startFeed({ database, channels, now, log });
  const limitReached = createLimitLog(log.warn);
  const context: Context = { database, keys, now, limits, log, limitReached, feed, channels };
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: maxFrameBytes,
    // One event loop turn per frame, so that frames arriving together do not count as waiting.
    allowSynchronousEvents: false,
  });
  server.on("wsClientError", (_error, socket) => refuse(socket, 400, "Not a WebSocket handshake"));
  const connections = new Set<Connection>();
  const perKey = new Map<string, number>();
  const stopSweeper = startSweeper(context, connections);
  let closing = false;

  return {
    upgrade(request, socket, head, { address, isSite = false }) {
      const admission = admit(request, keys);
      if (!admission.ok) {
        return refuse(socket, admission.status, admission.error);
      }
      if (closing) {
        return refuse(socket, 503, "The server is stopping");
      }
      const counted = isSite ? [] : socketLimits(address, limits);
      const full = counted.find(({ key, most }) => (perKey.get(key) ?? 0) >= most);
      if (full) {
        limitReached(full.limit);
        return refuse(socket, 429, "Too many connections");
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = serveConnection(webSocket, socket, admission, context);
        connections.add(connection);
        for (const { key } of counted) {
          perKey.set(key, (perKey.get(key) ?? 0) + 1);
        }
        webSocket.once("close", () => {
          connections.delete(connection);
          for (const { key } of counted) {
            const left = (perKey.get(key) ?? 1) - 1;
            if (left > 0) {
              perKey.set(key, left);
            } else {
              perKey.delete(key);
            }
          }
        });
      });
    },
    async close() {
      closing = true;
      stopSweeper();
      for (const connection of connections) {
        connection.close(1012, "service restart");
      }
      const deadline = performance.now() + closeTimeoutMs;
      while (connections.size > 0 && performance.now() < deadline) {
        await sleep(10);
      }
      for (const connection of connections) {
        connection.terminate();
      }
      await feed.close();
    },
  };
}

/** Returns the socket limits that apply to an address, with the key to count under. */
function socketLimits(address: string, limits: RealtimeLimits) {
  const key = addressKey(address);
  const network = networkKey(key);
  const counted = [
    { limit: "realtimeSockets", key: "all", most: limits.sockets },
    { limit: "realtimeSocketsOfAddress", key, most: limits.socketsPerAddress },
  ];
  return network === undefined
    ? counted
    : [
        ...counted,
        { limit: "realtimeSocketsOfNetwork", key: network, most: limits.socketsPerNetwork },
      ];
}
