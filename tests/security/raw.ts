import { readdir, readFile } from "node:fs/promises";
import { connect } from "node:net";

/** Sends bytes as they are and gives what came back until the server hung up; latin1. */
export function raw(site: { url: string }, bytes: Buffer, patience = 10_000): Promise<string> {
  const { port } = new URL(site.url);
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    const done = () => resolve(Buffer.concat(chunks).toString("latin1"));
    const socket = connect(Number(port), "127.0.0.1", () => socket.write(bytes));
    socket.setTimeout(patience, () => socket.destroy(new Error("There was no answer.")));
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    // A server that refuses a body may reset the connection behind its answer.
    socket.on("error", (error: NodeJS.ErrnoException) =>
      chunks.length > 0 || error.code === "EPIPE" ? done() : reject(error),
    );
    socket.on("close", done);
  });
}

/** A request as bytes; nothing in it is checked, encoded or completed but Host and length. */
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

/** The site's own process and its memory in bytes, as Linux tells it. */
export async function memoryOf(dataDir: string): Promise<number> {
  for (const pid of await readdir("/proc")) {
    if (!/^\d+$/.test(pid)) continue;
    const read = (file: string) => readFile(`/proc/${pid}/${file}`, "latin1").catch(() => "");
    if (!(await read("cmdline")).includes("app/server.ts")) continue;
    if (!(await read("environ")).includes(`DATA_DIR=${dataDir}\0`)) continue;
    return Number(/VmRSS:\s+(\d+)/.exec(await read("status"))?.[1]) * 1024;
  }
  throw new Error("The site's process was not found.");
}
