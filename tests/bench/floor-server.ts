import { readFile } from "node:fs/promises";
import { createServer } from "node:http";
import { compress } from "#app/document/compression.server.ts";

/** Serves a hand-written page, compressed once: the minimum weight of this content. */
const html = await readFile(new URL("floor.html", import.meta.url));
const body = await compress(html, "br");
createServer((request, response) => {
  if (request.url !== "/") {
    return void response.writeHead(404).end();
  }
  response.writeHead(200, { "content-type": "text/html; charset=utf-8", "content-encoding": "br" });
  response.end(body);
}).listen(Number(process.env.PORT), "127.0.0.1", () => console.log("ready"));
