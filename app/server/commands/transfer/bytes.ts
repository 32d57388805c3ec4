import { createHash } from "node:crypto";
import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { pipeline as connect } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { StartError } from "#app/lib/start-error.ts";

// A copy is compressed by zstd. With a passphrase age encrypts it, which finds every changed byte.
// Without one the file ends with a skippable frame (RFC 8878, 3.1.2) with the SHA-256 of all before:
// Zstandard ignores some bits, and a missing end.

type Bytes = AsyncIterable<Uint8Array>;

const ageMagic = "age-encryption.org/";
const frameHeader = Buffer.from("502a4d1820000000", "hex");
const trailerBytes = 40;
/** More than the empty frame has. */
const endBytes = 16;
/** 8 MB: no file may ask for more memory. What `writeBytes` writes needs 2 MB. */
const windowLog = 23;

/** Writes text to a new file, mode 600, and syncs it. @throws errors of `text` and of the file system */
export async function writeBytes(
  file: string,
  passphrase: string | undefined,
  text: AsyncIterable<string>,
): Promise<void> {
  const seal = passphrase === undefined ? addTrailer : encryptWith(passphrase);
  const target = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(text, createZstdCompress(), seal, target);
}

/**
 * Reads what `writeBytes` wrote. What is damaged may be found only after the last byte.
 * @throws {StartError} if the file is no copy or is damaged, or the passphrase is missing or wrong
 */
export async function* readBytes(
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const source = createReadStream(file);
  await once(source, "readable").catch((error: Error) => {
    throw new StartError(`${file} cannot be read: ${error.message}`);
  });
  const start: Buffer | null = source.read(ageMagic.length);
  if (start) {
    source.unshift(start);
  }
  const isEncrypted = start?.toString("latin1") === ageMagic;
  if (isEncrypted && passphrase === undefined) {
    source.destroy();
    throw new StartError(`${file} is encrypted: set BACKUP_PASSPHRASE.`);
  }
  const unseal = isEncrypted && passphrase !== undefined ? decryptWith(passphrase) : checkTrailer;
  const content = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLog } });
  // The loop of the reader gets the error.
  connect(source, unseal, inOnePiece, content, () => undefined);
  try {
    yield* content;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new StartError(
      /no identity matched/.test(fault)
        ? `BACKUP_PASSPHRASE does not open ${file}.`
        : `${file} is no backup and no export of this site, or is damaged (${fault}).`,
      { cause: error },
    );
  }
}

async function* addTrailer(source: Bytes) {
  const hash = createHash("sha256");
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
  yield Buffer.concat([frameHeader, hash.digest()]);
}

/** Gives what is before the trailer. */
async function* checkTrailer(source: Bytes) {
  const hash = createHash("sha256");
  const trailer = { bytes: Buffer.alloc(0) };
  for await (const bytes of holdBack(source, trailerBytes, trailer)) {
    hash.update(bytes);
    yield bytes;
  }
  if (!Buffer.concat([frameHeader, hash.digest()]).equals(trailer.bytes)) {
    throw new Error("its sum is wrong");
  }
}

/**
 * Gives the end in one piece, after all of it was found right. Node writes an empty frame at the end, and
 * takes a part of it for the end: what is wrong after that would not be found.
 */
async function* inOnePiece(source: Bytes) {
  const end = { bytes: Buffer.alloc(0) };
  yield* holdBack(source, endBytes, end);
  yield end.bytes;
}

/** Gives all but the end, which it sets. */
async function* holdBack(source: Bytes, length: number, end: { bytes: Buffer }) {
  for await (const bytes of source) {
    const all = Buffer.concat([end.bytes, bytes]);
    end.bytes = all.subarray(-length);
    yield all.subarray(0, all.length - end.bytes.length);
  }
}

const encryptWith = (passphrase: string) =>
  async function* (source: Bytes) {
    const encrypter = new Encrypter();
    encrypter.setPassphrase(passphrase);
    yield* await encrypter.encrypt(asWebStream(source));
  };

const decryptWith = (passphrase: string) =>
  async function* (source: Bytes) {
    const decrypter = new Decrypter();
    decrypter.addPassphrase(passphrase);
    yield* await decrypter.decrypt(asWebStream(source));
  };

/** age-encryption has the stream types of browsers, not of Node. */
const asWebStream = (source: Bytes) =>
  ReadableStream.from(source) as globalThis.ReadableStream<Uint8Array>;
