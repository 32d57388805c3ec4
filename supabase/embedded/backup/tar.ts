import { ReadableStream, type WritableStream } from "node:stream/web";
import { createTarDecoder, createTarPacker } from "modern-tar";

// The casts are needed because modern-tar has the stream types of browsers, not of Node.

export interface Entry {
  /** Ends with a slash if it is a folder. */
  path: string;
  size: number;
  body: AsyncIterable<Uint8Array>;
}

/** Adds an entry. Resolves when its body was read. */
export type AddEntry = (entry: Entry) => Promise<void>;

/**
 * Reads a tar archive. Each body must be read to its end before the next entry.
 * @throws {Error} if the archive is broken, or contains anything but files and folders
 */
export async function* readTar(archive: AsyncIterable<Uint8Array>): AsyncGenerator<Entry> {
  const bytes = ReadableStream.from(archive) as globalThis.ReadableStream<Uint8Array>;
  const entries = bytes.pipeThrough(createTarDecoder({ strict: true }));
  for await (const { header, body } of entries) {
    if (header.type !== "directory" && header.type !== "file") {
      throw new Error(`an entry is a ${header.type}`);
    }
    const end = header.type === "directory" ? "/" : "";
    const path = header.name.replace(/^\.\//, "").replace(/\/$/, "") + end;
    yield { path, size: header.size, body };
  }
}

interface PackedTar {
  /** Fails when `fill` fails. */
  archive: AsyncIterable<Uint8Array>;
  /** Resolves when `fill` has ended. */
  filled: Promise<void>;
  /** Makes `fill` fail, for when the archive is no longer read. */
  abort(reason: unknown): void;
}

/** Makes a tar archive of the entries that `fill` adds. */
export function packTar(fill: (add: AddEntry) => Promise<void>): PackedTar {
  const { readable, controller } = createTarPacker();
  const add: AddEntry = async ({ path, size, body }) => {
    const isFolder = path.endsWith("/");
    const target = controller.add({
      name: path,
      size,
      type: isFolder ? "directory" : "file",
      mode: isFolder ? 0o700 : 0o600,
    });
    await ReadableStream.from(body).pipeTo(target as WritableStream<Uint8Array>);
  };
  const run = async () => {
    try {
      await fill(add);
      controller.finalize();
    } catch (error) {
      controller.error(error);
    }
  };
  return {
    archive: readable,
    filled: run(),
    abort: (reason) => controller.error(reason),
  };
}
