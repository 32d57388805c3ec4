import { createHash } from "node:crypto";
import { Transform } from "node:stream";

/**
 * The trailer is the SHA-256 of all bytes before it. It is in a skippable frame (RFC 8878, 3.1.2),
 * which the zstd command ignores. It detects any changed byte.
 */
const frameHeader = Buffer.from("502a4d1820000000", "hex");
const trailerBytes = frameHeader.length + 32;

/** Passes bytes through and appends their hash. */
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
 * Passes bytes through and removes the hash at their end. The stream fails if the hash is wrong.
 * `isRight` is false until the hash was compared.
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
      done(isRight ? null : new Error("its checksum is wrong"));
    },
  });
  return { stream, isRight: () => isRight };
}
