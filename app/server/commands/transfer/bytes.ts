import { once } from "node:events";
import { createReadStream, createWriteStream } from "node:fs";
import { PassThrough, pipeline as connect } from "node:stream";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { constants, createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { StartError } from "#app/lib/start-error.ts";

// A copy is compressed by zstd, with its checksum of the text. With a passphrase age encrypts it, which
// finds every changed byte. A few bits of the compression mean nothing, so a change of those is not found.

type Bytes = AsyncIterable<Uint8Array>;

const ageMagic = "age-encryption.org/";
/** 8 MB: no file may ask for more memory. What `writeBytes` writes needs 2 MB. */
const windowLog = 23;

/** Writes text to a new file, mode 600, and syncs it. @throws errors of `text` and of the file system */
export async function writeBytes(
  file: string,
  passphrase: string | undefined,
  text: AsyncIterable<string>,
): Promise<void> {
  const compress = createZstdCompress({ params: { [constants.ZSTD_c_checksumFlag]: 1 } });
  const seal = passphrase === undefined ? new PassThrough() : encryptWith(passphrase);
  const target = createWriteStream(file, { flags: "wx", mode: 0o600, flush: true });
  await pipeline(text, compress, seal, target);
}

/**
 * Reads what `writeBytes` wrote. Damage may show only after the last byte.
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
  const unseal =
    isEncrypted && passphrase !== undefined ? decryptWith(passphrase) : new PassThrough();
  const content = createZstdDecompress({ params: { [constants.ZSTD_d_windowLogMax]: windowLog } });
  // The loop that reads the stream gets the error.
  connect(source, unseal, content, () => undefined);
  try {
    yield* content;
  } catch (error) {
    const fault = error instanceof Error ? error.message : String(error);
    throw new StartError(
      /no identity matched/.test(fault)
        ? `BACKUP_PASSPHRASE does not open ${file}.`
        : `${file} is no backup of this site, or is damaged (${fault}).`,
      { cause: error },
    );
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
