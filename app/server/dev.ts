import { createServer } from "node:http";
import { inspect } from "node:util";
import { WebSocketServer } from "ws";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { readEnv } from "./settings.ts";

// What stops the start of `npm run dev`, such as a mistake in the content, is shown in the page as well,
// until watch.ts starts the site again.

await import("./main.ts").catch((error: unknown) => {
  const fault = error instanceof StartError ? error.message : inspect(error);
  log.error("The site did not start");
  console.error(fault);
  show(fault);
});

function show(fault: string): void {
  const server = createServer((_request, response) => {
    const headers = { "Content-Type": "text/plain; charset=utf-8", Refresh: "1" };
    response.writeHead(503, headers).end(fault);
  });
  // Open pages have Vite's client, which loads them again when a WebSocket opens.
  const sockets = new WebSocketServer({ server });
  // The port may be what stopped the start.
  sockets.on("error", () => process.exit(1));
  const { PORT, HOST } = readEnv();
  server.listen(PORT, HOST);
}
