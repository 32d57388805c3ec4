import { constants, crc32, deflateRawSync } from "node:zlib";
import { prefersGzip } from "./compression.server.ts";

// RFC 1952, 2.3: deflate, no name, no time, made on Unix.
const gzipHeader = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]);

/**
 * Returns a function that compresses rendered pages. Their common part, the style sheet, is more
 * than half and compressed once: deflate has independent blocks (RFC 1951; Z_FULL_FLUSH).
 */
export function pageCompressor(common: string) {
  const bytes = Buffer.from(common);
  const blocks = blocksOf(bytes);
  // Pages differ after their style sheet, seldom before it.
  let start = { text: "", blocks: blocksOf(Buffer.alloc(0)) };

  return (before: string, after: string, acceptEncoding: string | null, headers: Headers) => {
    const parts = [Buffer.from(before, "latin1"), bytes, Buffer.from(after, "latin1")] as const;
    if (!prefersGzip(acceptEncoding, headers)) {
      return Buffer.concat(parts);
    }
    if (before !== start.text) {
      start = { text: before, blocks: blocksOf(parts[0]) };
    }
    const end = deflateRawSync(parts[2], { level: constants.Z_BEST_SPEED });
    return Buffer.concat([gzipHeader, start.blocks, blocks, end, trailer(parts)]);
  };
}

function blocksOf(bytes: Buffer): Buffer {
  return deflateRawSync(bytes, { level: 9, finishFlush: constants.Z_FULL_FLUSH });
}

function trailer(parts: readonly Buffer[]): Buffer {
  const bytes = Buffer.alloc(8);
  bytes.writeUInt32LE(parts.reduce((sum, part) => crc32(part, sum), 0));
  bytes.writeUInt32LE(
    parts.reduce((sum, part) => sum + part.length, 0),
    4,
  );
  return bytes;
}
