import { once } from "node:events";
import { WebSocket } from "ws";
import { newAddress } from "#tests/support/address.ts";

/** Returns frames that use a name in every place where the protocol takes one. */
export function frames(name: string) {
  const config = `{"postgres_changes":[{"event":"${name}","schema":"${name}","table":"${name}","filter":"${name}=eq.1","${name}":{"x":1}}],"${name}":{"x":1}}`;
  const payload = `{"${name}":{"x":1},"access_token":"${name}","config":${config}}`;
  const joins = [`realtime:${name}`, "realtime:x", name, "phoenix"];
  return joins.flatMap((topic) =>
    ["phx_join", name, "access_token"].map((event) => ({ topic, event, payload })),
  );
}

/** Opens a realtime socket with `query` (key and version) and sends the frames. */
export async function sendFrames(
  site: { url: string },
  query: string,
  list: ReturnType<typeof frames>,
): Promise<void> {
  const address = `${site.url.replace("http", "ws")}/realtime/v1/websocket`;
  const socket = new WebSocket(`${address}?${query}`, {
    headers: { "X-Forwarded-For": newAddress() },
  });
  const closed = once(socket, "close");
  await once(socket, "open");
  for (const { topic, event, payload } of list) {
    socket.send(
      query.includes("vsn=2.0.0")
        ? `["1","1","${topic}","${event}",${payload}]`
        : `{"join_ref":"1","ref":"1","topic":"${topic}","event":"${event}","payload":${payload}}`,
    );
  }
  socket.close();
  await closed;
}
