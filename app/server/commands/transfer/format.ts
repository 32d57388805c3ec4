import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { StartError } from "#app/lib/start-error.ts";
import { readBytes, writeBytes } from "./bytes.ts";
import { showProgress } from "./progress.ts";

// A copy is in JSON Lines: a header, the keys of a backup, one row a line, referenced tables first,
// and at the end how many rows each table has and a SHA-256 of all before. The sum of a row is the
// CRC-32 of all lines up to it, without their sums, so that a changed line is found by its number.

const headerSchema = z.strictObject({
  format: z.literal(1),
  /** Version of the site that wrote it. */
  version: z.string().max(100),
  /** The migrations of the site that its database had. */
  migrations: z.array(z.string().regex(/^\d{1,20}$/)).max(1000),
  time: z.iso.datetime(),
  /** Names the secrets with which factors and the like are sealed. */
  keys: z.string().max(300),
  rows: z.int().min(0),
});
export type Header = z.infer<typeof headerSchema>;

/** The text of keys.json. */
const keysSchema = z.strictObject({ keys: z.string().max(10_000) });

const rowPattern = /^\{"table":"([^"\\]{1,200})","row":(\{.*\}),"sum":"[0-9a-f]{8}"\}$/s;

const newline = 10;
const mostTables = 1000;
/** In bytes. A message with name and note has up to 30 kB, an account's metadata 64 kB. */
const maxLineBytes = 1024 * 1024;
const batchRows = 500;
const batchChars = 1024 * 1024;

export interface Batch {
  table: string;
  /** As JSON. */
  rows: string[];
}

/** The lines as they are written, and as a reader expects them. */
class Lines {
  /** How many rows each table has. */
  readonly counts = new Map<string, number>();
  readonly #hash = createHash("sha256");
  #sum = 0;

  first(text: string): string {
    this.#sum = crc32(text, this.#sum);
    return this.#hashed(text);
  }

  row(table: string, json: string): string {
    this.counts.set(table, (this.counts.get(table) ?? 0) + 1);
    const text = `{"table":"${table}","row":${json}`;
    this.#sum = crc32(text, this.#sum);
    return this.#hashed(`${text},"sum":"${this.#sum.toString(16).padStart(8, "0")}"}`);
  }

  last(): string {
    const rows = Object.fromEntries(this.counts);
    return `${JSON.stringify({ rows, sha256: this.#hash.digest("hex") })}\n`;
  }

  #hashed(line: string): string {
    this.#hash.update(`${line}\n`);
    return `${line}\n`;
  }
}

/** Writes a copy to a new file. @throws errors of `batches` and of the file system */
export function writeCopy(
  file: string,
  passphrase: string | undefined,
  copy: { header: Header; keys: string | undefined; batches: AsyncIterable<Batch> },
): Promise<void> {
  async function* text() {
    using progress = showProgress("rows copied", copy.header.rows);
    const lines = new Lines();
    yield lines.first(JSON.stringify(copy.header));
    if (copy.keys !== undefined) {
      yield lines.first(JSON.stringify({ keys: copy.keys }));
    }
    for await (const { table, rows } of copy.batches) {
      yield rows.map((row) => lines.row(table, row)).join("");
      progress.done += rows.length;
    }
    yield lines.last();
  }
  return writeBytes(file, passphrase, text());
}

/** A whole file, and how to read it again. */
export interface Copy {
  file: string;
  passphrase: string | undefined;
  header: Header;
  keys: string | undefined;
  counts: Map<string, number>;
}

/**
 * Reads a copy to its end and checks it.
 * @param take gets the rows, and the line of the first. What it got may come before what is damaged
 * @throws {StartError} if the file is damaged, with the number of a changed line
 * @throws errors of `take`
 */
export async function readCopy(
  file: string,
  passphrase: string | undefined,
  take?: (batch: Batch, line: number) => Promise<void>,
): Promise<Copy> {
  using progress = showProgress("rows read");
  const lines = new Lines();
  let header: Header | undefined;
  let keys: string | undefined;
  let isComplete = false;
  let line = 0;
  let batch = { table: "", rows: [] as string[], line, chars: 0 };
  for await (const text of readLines(file, passphrase)) {
    line += 1;
    const place = `${file}, line ${line}`;
    const [, table, json] = rowPattern.exec(text) ?? [];
    let right: string | undefined;
    if (header === undefined) {
      header = parse(headerSchema, text, place);
      progress.total = header.rows;
      right = lines.first(text);
    } else if (line === 2 && text.startsWith('{"keys":')) {
      ({ keys } = parse(keysSchema, text, place));
      right = lines.first(text);
    } else if (!isComplete && lines.counts.size < mostTables) {
      isComplete = table === undefined;
      right = table && json ? lines.row(table, json) : lines.last();
    }
    if (right !== `${text}\n`) {
      throw new StartError(`${place}: damaged, changed or not in its place.`);
    }
    const { length } = batch.rows;
    if (table !== batch.table || length === batchRows || batch.chars > batchChars) {
      if (length > 0) {
        await take?.(batch, batch.line);
        progress.done += length;
      }
      batch = { table: table ?? "", rows: [], line, chars: 0 };
    }
    if (json !== undefined) {
      batch.rows.push(json);
      batch.chars += json.length;
    }
  }
  if (header === undefined || !isComplete) {
    throw new StartError(`${file} is damaged, its end is missing.`);
  }
  return { file, passphrase, header, keys, counts: lines.counts };
}

/** Reads lines. Of one that is too long only the beginning is in memory. */
async function* readLines(file: string, passphrase: string | undefined): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  for await (const chunk of readBytes(file, passphrase)) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield bytes.toString("utf8", start, end);
      start = end + 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxLineBytes) {
      break;
    }
  }
  if (rest.length > 0) {
    yield rest.toString();
  }
}

function parse<T>(schema: z.ZodType<T>, text: string, place: string): T {
  try {
    return schema.parse(JSON.parse(text));
  } catch (cause) {
    throw new StartError(`${place}: damaged, or made by a newer version of the site.`, { cause });
  }
}
