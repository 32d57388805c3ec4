import { once } from "node:events";
import { request } from "node:http";
import { type ClientOptions, WebSocket } from "ws";
import { until } from "./clients.ts";
import type { RealtimeServer } from "./server.ts";

export const changesTopic = "realtime:changes";

const sockets: WebSocket[] = [];

/** Terminates the sockets of all `openSocket` calls. */
export async function terminateAll(): Promise<void> {
  for (const socket of sockets.splice(0)) {
    socket.terminate();
  }
  await new Promise((resolve) => setTimeout(resolve, 250));
}

/** Opens a raw socket with serializer 2.0.0, for frames that the official client never sends. */
export async function openSocket(
  { url, keys }: RealtimeServer,
  query = `apikey=${keys.publishableKey}&vsn=2.0.0`,
  options: ClientOptions = {},
) {
  const socket = new WebSocket(`${url}/realtime/v1/websocket?${query}`, options);
  sockets.push(socket);
  const frames: unknown[][] = [];
  const closed: { code: number }[] = [];
  socket.on("message", (data) => void frames.push(JSON.parse(String(data))));
  socket.on("close", (code) => void closed.push({ code }));
  socket.on("error", () => undefined);
  await once(socket, "open");
  const send = (...frame: unknown[]) => socket.send(JSON.stringify(frame));
  const join = (ref: string, topic = changesTopic, payload: object = config([])) =>
    send(ref, ref, topic, "phx_join", payload);
  const reply = async (ref: string, ms?: number) => {
    await until(() => frames.some(([, of, , event]) => of === ref && event === "phx_reply"), ms);
    return frames.find(([, of, , event]) => of === ref && event === "phx_reply")?.[4];
  };
  return { socket, frames, closed, send, join, reply };
}

/** Returns a join payload like the official client's. */
export const config = (changes: unknown[]) => ({
  config: {
    broadcast: { ack: false, self: false },
    presence: { key: "", enabled: false },
    private: false,
    postgres_changes: changes,
  },
});

/** Sends a handshake without a library. Returns the response. */
export function handshake(
  { url }: RealtimeServer,
  path: string,
  headers: Record<string, string> = {},
) {
  return new Promise<{ status: number; body: unknown }>((resolve, reject) => {
    const asked = request(`${url}${path}`, {
      headers: {
        Connection: "Upgrade",
        Upgrade: "websocket",
        "Sec-WebSocket-Version": "13",
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==",
        ...headers,
      },
    });
    asked.on("error", reject);
    asked.on("upgrade", (response, socket) => {
      socket.destroy();
      resolve({ status: response.statusCode ?? 0, body: undefined });
    });
    asked.on("response", async (response) => {
      const chunks = await response.toArray();
      resolve({
        status: response.statusCode ?? 0,
        body: JSON.parse(Buffer.concat(chunks).toString()),
      });
    });
    asked.end();
  });
}
