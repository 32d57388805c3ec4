import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/**
 * The SHA-256 of all bytes before it, in a skippable frame (RFC 8878, 3.1.2): the zstd command
 * passes over it, and one changed byte anywhere is found.
 */
const frameHeader = Buffer.from("502a4d1820000000", "hex");
const trailerBytes = frameHeader.length + 32;

/** Passes bytes on and ends them with their hash. */
export function appendHash(): Transform {
  const hash = createHash("sha256");
  return new Transform({
    transform(bytes: Buffer, _encoding, done) {
      hash.update(bytes);
      done(null, bytes);
    },
    flush(done) {
      done(null, Buffer.concat([frameHeader, hash.digest()]));
    },
  });
}

/**
 * Passes bytes on without the hash at their end. The stream fails if it is another one; `isRight`
 * is false until it was compared.
 */
export function checkHash(): { stream: Transform; isRight(): boolean } {
  const hash = createHash("sha256");
  let kept: Buffer = Buffer.alloc(0);
  let isRight = false;
  const stream = new Transform({
    transform(bytes: Buffer, _encoding, done) {
      const all = Buffer.concat([kept, bytes]);
      const passed = all.subarray(0, Math.max(0, all.length - trailerBytes));
      kept = all.subarray(passed.length);
      hash.update(passed);
      done(null, passed);
    },
    flush(done) {
      isRight = kept.equals(Buffer.concat([frameHeader, hash.digest()]));
      done(isRight ? null : new Error("its checksum is another one"));
    },
  });
  return { stream, isRight: () => isRight };
}
