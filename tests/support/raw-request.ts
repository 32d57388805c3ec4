import { execFile } from "node:child_process";
import { connect } from "node:net";
import { promisify } from "node:util";

const run = promisify(execFile);

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

/** Returns the memory in bytes of the only site that this process has started. */
export async function siteMemory(): Promise<number> {
  const { stdout } = await run("ps", ["-A", "-o", "ppid=", "-o", "rss=", "-o", "args="]);
  const sizes = stdout.split("\n").flatMap((line) => {
    const [, parent, kilobytes, command = ""] = /^\s*(\d+)\s+(\d+)\s+(.*)$/.exec(line) ?? [];
    const isSite = Number(parent) === process.pid && command.includes("app/server/main.ts");
    return isSite ? [Number(kilobytes) * 1024] : [];
  });
  if (sizes.length !== 1) {
    throw new Error(`Expected one site, found ${sizes.length}.`);
  }
  return sizes[0] ?? 0;
}
