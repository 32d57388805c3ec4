import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync } from "node:zlib";

const ofTheConnection = new Set(["date", "connection", "keep-alive"]);

/**
 * The baseline: a bare node:http server that always sends one response. Its first argument is the URL
 * to copy the response from; a second one names a page, which it sends at `/`. Node adds the
 * connection headers itself.
 */
const [address = "", page] = process.argv.slice(2);
const [original] = (await once(
  get(address, { headers: { "accept-encoding": "br" } }),
  "response",
)) as [IncomingMessage];
const body = await buffer(original);
const headers = Object.fromEntries(
  Object.entries(original.headersDistinct).filter(([name]) => !ofTheConnection.has(name)),
);
const html = { "content-type": "text/html; charset=utf-8", "content-encoding": "br" };
const written = page && brotliCompressSync(readFileSync(page));
createServer(({ url }, response) => {
  if (written && url === "/") {
    response.writeHead(200, html).end(written);
  } else {
    response.writeHead(200, headers).end(body);
  }
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("It is ready"));
