import { connect } from "node:net";

/** Sends raw bytes. Returns everything until the server closes the connection, as latin1. */
export function raw(site: { url: string }, bytes: Buffer, patience = 10_000): Promise<string> {
  const { port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const done = () => resolve(Buffer.concat(chunks).toString("latin1"));
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(patience, () => socket.destroy(new Error("The server did not answer.")));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A server that rejects a body may reset the connection after its response.
    socket.on("error", (error: NodeJS.ErrnoException) =>
      chunks.length > 0 || error.code === "EPIPE" ? done() : reject(error),
    );
    socket.on("close", done);
  });
}

/** Returns a request as bytes. Adds only Host and Content-Length, and validates nothing. */
export function requestBytes(parts: {
  method: string;
  target: string;
  headers: [string, string][];
  body?: Buffer;
  chunked?: boolean;
}): Buffer {
  const { method, target, headers, body, chunked } = parts;
  const framing = chunked
    ? [["Transfer-Encoding", "chunked"]]
    : [["Content-Length", String(body?.length ?? 0)]];
  const lines = [["Host", "localhost"], ["Connection", "close"], ...framing, ...headers];
  const head = `${method} ${target} HTTP/1.1\r\n${lines.map((line) => line.join(": ")).join("\r\n")}\r\n\r\n`;
  const sent = body ?? Buffer.alloc(0);
  const framed = chunked
    ? Buffer.concat([
        Buffer.from(`${sent.length.toString(16)}\r\n`),
        sent,
        Buffer.from("\r\n0\r\n\r\n"),
      ])
    : sent;
  return Buffer.concat([Buffer.from(head, "utf8"), framed]);
}
