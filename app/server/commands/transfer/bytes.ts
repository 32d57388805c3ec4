import { createHash, type Hash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { open, rename } from "node:fs/promises";
import { dirname } from "node:path";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { StartError } from "#app/lib/start-error.ts";

// A copy is compressed by zstd and, with a passphrase, encrypted by age.

type Bytes = AsyncIterable<Uint8Array>;

const ageMagic = "age-encryption.org/";
const zstdMagic = "\u0028\u00b5\u002f\u00fd";
/** 8 MB: no file may ask for more memory. What `writeBytes` writes needs 2 MB. */
const windowLog = 23;

/** Writes text to a new file, mode 600, and syncs it. @throws errors of `text` and of the file system */
export async function writeBytes(
  file: string,
  passphrase: string | undefined,
  text: AsyncIterable<string>,
): Promise<void> {
  await pipeline(
    text,
    createZstdCompress(),
    appendHash,
    passphrase === undefined ? passThrough : encryptWith(passphrase),
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
}

/** Gives a written file its name, so that it also survives a power failure. */
export async function renameDurably(from: string, to: string): Promise<void> {
  await rename(from, to);
  const folder = await open(dirname(to), "r");
  await folder.sync().finally(() => folder.close());
}

/**
 * Reads what `writeBytes` wrote.
 * @throws {StartError} if the file is no copy or is damaged, or the passphrase is missing or wrong
 */
export async function* readBytes(
  file: string,
  passphrase: string | undefined,
): AsyncGenerator<Buffer> {
  const isEncrypted = await readMagic(file);
  if (isEncrypted && passphrase === undefined) {
    throw new StartError(`${file} is encrypted: set BACKUP_PASSPHRASE.`);
  }
  const hash = checkHash();
  const content = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLog } });
  const read = pipeline(
    createReadStream(file),
    isEncrypted && passphrase !== undefined ? decryptWith(passphrase) : passThrough,
    hash.check,
    content,
  );
  read.catch(() => undefined);
  try {
    yield* content;
    await read;
    // The content may end before all bytes are read.
    if (!hash.isRight()) {
      throw new Error("its checksum is wrong");
    }
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new StartError(
      /no identity matched/.test(fault)
        ? `BACKUP_PASSPHRASE does not open ${file}.`
        : `${file} is damaged (${fault}): use another one.`,
      { cause: error },
    );
  }
}

/** Returns whether the file is encrypted. */
async function readMagic(file: string): Promise<boolean> {
  const bytes = Buffer.alloc(ageMagic.length);
  const opened = await open(file).catch((error: Error) => {
    throw new StartError(`${file} cannot be read: ${error.message}`);
  });
  await opened.read(bytes).finally(() => opened.close());
  const start = bytes.toString("latin1");
  if (start !== ageMagic && !start.startsWith(zstdMagic)) {
    throw new StartError(`${file} is no backup and no export of this site, or is damaged.`);
  }
  return start === ageMagic;
}

/**
 * A skippable frame (RFC 8878, 3.1.2) with the SHA-256 of the bytes before it: Zstandard ignores some
 * bits, and a missing end.
 */
const trailer = (hash: Hash) =>
  Buffer.concat([Buffer.from("502a4d1820000000", "hex"), hash.digest()]);
const trailerBytes = 40;

async function* appendHash(source: Bytes) {
  const hash = createHash("sha256");
  for await (const bytes of source) {
    hash.update(bytes);
    yield bytes;
  }
  yield trailer(hash);
}

function checkHash() {
  let isRight = false;
  async function* check(source: Bytes) {
    const hash = createHash("sha256");
    let kept = Buffer.alloc(0);
    for await (const bytes of source) {
      const all = Buffer.concat([kept, bytes]);
      const passed = all.subarray(0, Math.max(0, all.length - trailerBytes));
      kept = all.subarray(passed.length);
      hash.update(passed);
      yield passed;
    }
    isRight = kept.equals(trailer(hash));
  }
  return { check, isRight: () => isRight };
}

async function* passThrough(source: Bytes) {
  yield* source;
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
