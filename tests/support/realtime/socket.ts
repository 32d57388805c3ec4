import { until } from "./clients.ts";
import type { RealtimeServer } from "./server.ts";

export const topic = "realtime:changes";

/** Opens a socket without a client, for frames that the official client never sends. */
export async function openSocket({ transport }: RealtimeServer) {
  const socket = new transport("ws://localhost/realtime/v1/websocket?vsn=2.0.0");
  const frames: unknown[][] = [];
  const closed: number[] = [];
  socket.addEventListener("message", (event) => {
    frames.push(JSON.parse((event as MessageEvent<string>).data));
  });
  socket.addEventListener("close", (event) => void closed.push((event as CloseEvent).code));
  await new Promise((resolve) => socket.addEventListener("open", resolve));
  const send = (...frame: unknown[]) => socket.send(JSON.stringify(frame));
  const join = (ref: string, token: string, entries: object[] = messageChanges) =>
    send(ref, ref, topic, "phx_join", payload(token, entries));
  const reply = async (ref: string) => {
    const find = () => frames.find(([, of, , event]) => of === ref && event === "phx_reply")?.[4];
    await until(find);
    return find();
  };
  return { socket, frames, closed, send, join, reply };
}

/** The inserts of the inbox. */
export const messageChanges = [{ event: "INSERT", schema: "public", table: "contact_messages" }];

/** Returns a join's payload like the official client's. */
const payload = (token: string, entries: object[]) => ({
  access_token: token,
  config: {
    broadcast: { ack: false, self: false },
    presence: { key: "", enabled: false },
    private: false,
    postgres_changes: entries,
  },
});
