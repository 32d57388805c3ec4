import { createHash } from "node:crypto";
import { createReadStream, createWriteStream } from "node:fs";
import { appendFile, open, rename } from "node:fs/promises";
import { dirname } from "node:path";
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
/** 8 MB: no file may ask for more memory. What `writeBytes` writes needs 2 MB. */
const windowLog = 23;

/** Writes text to a new file, mode 600, and syncs it. @throws errors of `text` and of the file system */
export async function writeBytes(
  file: string,
  passphrase: string | undefined,
  text: AsyncIterable<string>,
): Promise<void> {
  const target = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
  if (passphrase !== undefined) {
    return pipeline(text, createZstdCompress(), encryptWith(passphrase), target);
  }
  await pipeline(text, createZstdCompress(), target);
  await appendFile(file, await trailerOf(file), { flush: true });
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
  const isEncrypted = await isSealed(file);
  if (isEncrypted && passphrase === undefined) {
    throw new StartError(`${file} is encrypted: set BACKUP_PASSPHRASE.`);
  }
  const decrypt = isEncrypted && passphrase !== undefined ? decryptWith(passphrase) : passThrough;
  const content = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLog } });
  // The loop of the reader gets the error.
  connect(createReadStream(file), decrypt, content, () => undefined);
  try {
    yield* content;
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

/** Returns whether the file is encrypted. @throws {StartError} if it is no copy, or is damaged */
async function isSealed(file: string): Promise<boolean> {
  const opened = await open(file).catch((error: Error) => {
    throw new StartError(`${file} cannot be read: ${error.message}`);
  });
  try {
    const stats = await opened.stat();
    if (stats.isDirectory()) {
      throw new StartError(`${file} is no file.`);
    }
    const { buffer: start } = await opened.read(Buffer.alloc(ageMagic.length), { position: 0 });
    if (start.toString("latin1") === ageMagic) {
      return true;
    }
    const position = Math.max(0, stats.size - trailerBytes);
    const { buffer: end } = await opened.read(Buffer.alloc(trailerBytes), { position });
    if (position === 0 || !end.equals(await trailerOf(file, position - 1))) {
      throw new StartError(`${file} is no backup and no export of this site, or is damaged.`);
    }
    return false;
  } finally {
    await opened.close();
  }
}

/** The trailer for the bytes of a file up to `end`, its own included. */
async function trailerOf(file: string, end = Infinity): Promise<Buffer> {
  const hash = createHash("sha256");
  for await (const bytes of createReadStream(file, { end })) {
    hash.update(bytes);
  }
  return Buffer.concat([frameHeader, hash.digest()]);
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
