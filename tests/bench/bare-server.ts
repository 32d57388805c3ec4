import { once } from "node:events";
import { readFileSync } from "node:fs";
import { createServer, get, type IncomingMessage } from "node:http";
import { buffer } from "node:stream/consumers";
import { brotliCompressSync } from "node:zlib";

const ofTheConnection = new Set(["date", "connection", "keep-alive"]);

/**
 * The baseline: a bare node:http server that always sends one response. Its first argument is the URL
 * to copy the response from; a second one names a page, which it sends at `/`, with the responses of
 * further URLs at `/2` and so on. Node adds the connection headers itself.
 */
const [address = "", page, ...others] = process.argv.slice(2);
const [first, ...rest] = await Promise.all([address, ...others].map(copyOf));
const byPath = new Map(rest.map((answer, index) => [`/${index + 2}`, answer]));
const html = { "content-type": "text/html; charset=utf-8", "content-encoding": "br" };
const written = page && { headers: html, body: brotliCompressSync(readFileSync(page)) };
createServer(({ url = "" }, response) => {
  const answer = written && url === "/" ? written : (byPath.get(url) ?? first);
  response.writeHead(200, answer?.headers).end(answer?.body);
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("It is ready"));

async function copyOf(source: string) {
  const [original] = (await once(
    get(source, { headers: { "accept-encoding": "br" } }),
    "response",
  )) as [IncomingMessage];
  const body = await buffer(original);
  const headers = Object.fromEntries(
    Object.entries(original.headersDistinct).filter(([name]) => !ofTheConnection.has(name)),
  );
  return { headers, body };
}
