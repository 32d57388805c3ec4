// The parts of PostgreSQL's protocol ("Message Formats" in its manual) that socket.ts needs.

export const messageType = { bind: "B", parse: "P", query: "Q", readyForQuery: "Z", sync: "S" };
export const transactionStatus = { idle: "I", failed: "E" };

/** One byte of type and four of length. The length includes itself but not the type. */
const headerBytes = 5;

/** Reads the type and first byte of each message from a stream of arbitrary chunks. */
export class MessageReader {
  #head = Buffer.alloc(headerBytes + 1);
  #filled = 0;
  #skip = 0;

  /** Calls `see` for each message as soon as its first body byte, if any, has arrived. */
  read(bytes: Buffer, see: (type: string, first: string) => void): void {
    for (let at = 0; at < bytes.length;) {
      const skipped = Math.min(this.#skip, bytes.length - at);
      this.#skip -= skipped;
      at += skipped;
      if (at === bytes.length) {
        return;
      }
      this.#head[this.#filled] = bytes[at] ?? 0;
      this.#filled += 1;
      at += 1;
      if (this.#filled < headerBytes) {
        continue;
      }
      const length = this.#head.readUInt32BE(1) - 4;
      if (this.#filled === headerBytes && length > 0) {
        continue;
      }
      see(
        String.fromCharCode(this.#head[0] ?? 0),
        String.fromCharCode(this.#head[headerBytes] ?? 0),
      );
      this.#skip = Math.max(0, length - 1);
      this.#filled = 0;
    }
  }
}

interface WrittenMessage {
  type: string;
  /** Returns the strings in the body, each cut at 100 bytes. */
  texts: () => string[];
}

/** Splits one write of postgres.js, which always writes whole messages. */
export function writtenMessages(bytes: Buffer): WrittenMessage[] {
  const messages: WrittenMessage[] = [];
  for (let at = 0; at + headerBytes <= bytes.length;) {
    const next = at + 1 + bytes.readUInt32BE(at + 1);
    const [from, to] = [at + headerBytes, Math.min(next, at + 100)];
    messages.push({
      type: String.fromCharCode(bytes[at] ?? 0),
      texts: () => bytes.toString("latin1", from, to).split("\0"),
    });
    at = next;
  }
  return messages;
}

export function readyForQuery(status: string): Buffer {
  return Buffer.from(`Z\0\0\0\u0005${status}`, "latin1");
}

export function errorResponse(code: string, message: string): Buffer {
  const body = Buffer.from(`SERROR\0C${code}\0M${message}\0\0`, "latin1");
  const head = Buffer.from("E\0\0\0\0", "latin1");
  head.writeUInt32BE(body.length + 4, 1);
  return Buffer.concat([head, body]);
}
