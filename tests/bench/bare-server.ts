import { once } from "node:events";
import { createServer, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";

const ofTheConnection = new Set(["date", "connection", "keep-alive"]);

/**
 * The baseline: a bare node:http server that always sends one response. Its argument is the URL to
 * copy the response from. Node adds the connection headers itself.
 */
const [address = ""] = process.argv.slice(2);
const [original] = (await once(
  get(address, { headers: { "accept-encoding": "br" } }),
  "response",
)) as [IncomingMessage];
const body = await buffer(original);
const headers = Object.fromEntries(
  Object.entries(original.headersDistinct).filter(([name]) => !ofTheConnection.has(name)),
);
createServer((_request, response) => {
  response.writeHead(200, headers).end(body);
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
