import { createReadStream, createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";
import { ReadableStream } from "node:stream/web";
import { createZstdCompress, createZstdDecompress } from "node:zlib";
import { Decrypter, Encrypter } from "age-encryption";
import { reason, StartError } from "#embedded/engine/start-error.ts";
import { type AddEntry, type Entry, packTar, readTar } from "./tar.ts";
import { appendHash, checkHash } from "./trailer.ts";

// A backup is a tar archive, compressed by zstd and, with a passphrase, encrypted by age.

type Bytes = AsyncIterable<Uint8Array>;

const ageMagic = "age-encryption.org/";
const zstdMagic = "\u0028\u00b5\u002f\u00fd";

/**
 * Writes a new file, mode 600, and syncs it.
 * @throws errors of `fill` and of the file system
 */
export async function writeArchive(
  file: string,
  passphrase: string | undefined,
  fill: (add: AddEntry) => Promise<void>,
): Promise<void> {
  const { archive, filled, abort } = packTar(fill);
  const written = pipeline(
    archive,
    createZstdCompress(),
    appendHash(),
    passphrase === undefined ? passThrough : encryptWith(passphrase),
    createWriteStream(file, { flags: "wx", mode: 0o600, flush: true }),
  );
  written.catch(abort);
  await Promise.allSettled([written, filled]);
  await written;
}

/**
 * Reads an archive entry by entry. `visit` must read each body to its end.
 * @throws {StartError} if the file is not a backup or is damaged, or the passphrase is wrong
 * @throws errors of `visit`
 */
export async function readArchive(
  file: string,
  passphrase: string | undefined,
  visit: (entry: Entry) => Promise<void>,
): Promise<void> {
  const isEncrypted = await readMagic(file);
  if (isEncrypted && passphrase === undefined) {
    throw new StartError(`${file} is encrypted: set BACKUP_PASSPHRASE.`);
  }
  const hash = checkHash();
  try {
    await pipeline(
      createReadStream(file),
      isEncrypted && passphrase !== undefined ? decryptWith(passphrase) : passThrough,
      hash.stream,
      createZstdDecompress(),
      async (archive: Bytes) => {
        for await (const entry of readTar(archive)) {
          await visit(entry);
        }
      },
    );
  } catch (error) {
    // These are errors of `visit` itself. Errors of the archive reach it too, through the body.
    if (error instanceof StartError || (error as NodeJS.ErrnoException).syscall !== undefined) {
      throw error;
    }
    if (/no identity matched/.test(reason(error))) {
      throw new StartError(`BACKUP_PASSPHRASE does not open ${file}.`);
    }
    throw damaged(file, reason(error));
  }
  if (!hash.isRight()) {
    throw damaged(file, "its end is missing");
  }
}

export const damaged = (file: string, fault: string) =>
  new StartError(`The backup ${file} is damaged (${fault}): use another one.`);

/** Returns whether the file is encrypted. */
async function readMagic(file: string): Promise<boolean> {
  const bytes = Buffer.alloc(ageMagic.length);
  const opened = await open(file).catch((error: unknown) => {
    throw new StartError(`The backup ${file} cannot be read: ${reason(error)}`);
  });
  await opened.read(bytes).finally(() => opened.close());
  const start = bytes.toString("latin1");
  if (start !== ageMagic && !start.startsWith(zstdMagic)) {
    throw new StartError(`${file} is not a backup of a site, or is damaged.`);
  }
  return start === ageMagic;
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

const asWebStream = (source: Bytes) =>
  ReadableStream.from(source) as globalThis.ReadableStream<Uint8Array>;
