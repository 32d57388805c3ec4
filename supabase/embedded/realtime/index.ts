import { type IncomingMessage } from "node:http";
import { type Duplex } from "node:stream";
import { setTimeout as sleep } from "node:timers/promises";
import { WebSocketServer } from "ws";
import { addressKey } from "../address.ts";
import { type Database } from "../database.ts";
import { type Keys } from "../keys.ts";
import { type Channel } from "./channel.ts";
import { type Connection, serveConnection } from "./connection.ts";
import { type Context } from "./context.ts";
import { startFeed } from "./feed.ts";
import { admit, refuse } from "./handshake.ts";
import { defaultRealtimeLimits, type RealtimeLimits } from "./limits.ts";
import { startUpkeep } from "./upkeep.ts";

export type { RealtimeLimits } from "./limits.ts";

export interface Realtime {
  /** Takes over a socket that asked for /realtime/v1/websocket, or refuses it in plain HTTP. */
  upgrade(
    request: IncomingMessage,
    socket: Duplex,
    head: Buffer,
    client: { address: string },
  ): void;
  /** Sends the clients away, to come back when the server does, and waits until they are gone. */
  close(): Promise<void>;
}

/** How long a client may take to close its socket when the server stops. */
const FAREWELL_MS = 1_000;

/**
 * Starts the change feed of publication supabase_realtime and serves it over the protocol of
 * Supabase Realtime. Fails when the database cannot be reached.
 */
export async function createRealtime(options: {
  database: Database;
  keys: Keys;
  /** Milliseconds since 1970. */
  now: () => number;
  limits?: Partial<RealtimeLimits> | undefined;
  log: (line: string) => void;
}): Promise<Realtime> {
  const { database, keys, now, log } = options;
  const limits = { ...defaultRealtimeLimits, ...options.limits };
  const channels = new Set<Channel>();
  const feed = await startFeed(database, channels, now, log);
  const context: Context = { database, keys, now, limits, log, feed, channels };
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    maxPayload: limits.frameBytes,
    // A turn for each frame, so that frames wait for what takes time and not for one another.
    allowSynchronousEvents: false,
  });
  server.on("wsClientError", (_error, socket) => refuse(socket, 400, "Not a WebSocket handshake"));
  const connections = new Set<Connection>();
  const perAddress = new Map<string, number>();
  const stopUpkeep = startUpkeep(context, connections);
  let closing = false;

  return {
    upgrade(request, socket, head, { address }) {
      const admission = admit(request, keys);
      if (!admission.ok) {
        return refuse(socket, admission.status, admission.error);
      }
      if (closing) {
        return refuse(socket, 503, "The server is stopping");
      }
      const key = addressKey(address);
      const here = perAddress.get(key) ?? 0;
      if (connections.size >= limits.sockets || here >= limits.socketsPerAddress) {
        return refuse(socket, 429, "Too many connections");
      }
      server.handleUpgrade(request, socket, head, (webSocket) => {
        const connection = serveConnection(webSocket, socket, admission, context);
        connections.add(connection);
        perAddress.set(key, (perAddress.get(key) ?? 0) + 1);
        webSocket.once("close", () => {
          connections.delete(connection);
          const left = (perAddress.get(key) ?? 1) - 1;
          if (left > 0) {
            perAddress.set(key, left);
          } else {
            perAddress.delete(key);
          }
        });
      });
    },
    async close() {
      closing = true;
      stopUpkeep();
      for (const connection of connections) {
        connection.close(1012, "service restart");
      }
      const deadline = performance.now() + FAREWELL_MS;
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
