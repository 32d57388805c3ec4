import type { Server } from "node:http";
import { WebSocketServer } from "ws";
import type { Transport } from "#embedded/realtime/transport.ts";

/** Connects each WebSocket that an HTTP server accepts to a transport, as hosted Supabase would. */
export function bridgeRealtime(http: Server, transport: Transport): void {
  const server = new WebSocketServer({ noServer: true });
  http.on("upgrade", (request, stream, head) =>
    server.handleUpgrade(request, stream, head, (webSocket) => {
      const inner = new transport(`ws://localhost${request.url}`);
      const opened = new Promise((resolve) => inner.addEventListener("open", resolve));
      inner.addEventListener("message", (event) => webSocket.send((event as MessageEvent).data));
      inner.addEventListener("close", (event) => webSocket.close((event as CloseEvent).code));
      webSocket.on("message", async (data) => {
        await opened;
        inner.send(String(data));
      });
      webSocket.on("close", () => inner.close());
    }),
  );
}
