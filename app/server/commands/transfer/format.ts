import { createHash } from "node:crypto";
import { crc32 } from "node:zlib";
import { z } from "zod";
import { StartError } from "#app/lib/start-error.ts";
import { readBytes, writeBytes } from "./bytes.ts";

// A copy is in JSON Lines: a header, the keys of a backup, one row a line, referenced tables first,
// and at the end how many rows each table has and a SHA-256 of all before. The sum of a row is the
// CRC-32 of all lines up to it, without their sums, so that a changed line is found by its number.

const headerSchema = z.strictObject({
  format: z.literal(1, "is not 1: the file was made by a newer version of the site"),
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

const rowPattern = /^(\{"table":"([^"\\]{1,200})","row":(\{.*\})),"sum":"([0-9a-f]{8})"\}$/s;

const newline = 10;
const mostTables = 1000;
/** In bytes. A message with name and note has up to 30 kB, an account's metadata 64 kB. */
const maxLineBytes = 1024 * 1024;

export interface Batch {
  table: string;
  /** As JSON. */
  rows: string[];
}

/** Writes a copy to a new file. @throws errors of `batches` and of the file system */
export function writeCopy(
  file: string,
  passphrase: string | undefined,
  copy: { header: Header; keys: string | undefined; batches: AsyncIterable<Batch> },
): Promise<void> {
  async function* lines() {
    const hash = createHash("sha256");
    const counts = new Map<string, number>();
    let sum = 0;
    const seen = (text: string) => {
      hash.update(text);
      return text;
    };
    const first = [copy.header, ...(copy.keys === undefined ? [] : [{ keys: copy.keys }])];
    for (const value of first) {
      const line = JSON.stringify(value);
      sum = crc32(line, sum);
      yield seen(`${line}\n`);
    }
    for await (const { table, rows } of copy.batches) {
      counts.set(table, (counts.get(table) ?? 0) + rows.length);
      const written = rows.map((row) => {
        const line = `{"table":"${table}","row":${row}`;
        sum = crc32(line, sum);
        return `${line},"sum":"${hex(sum)}"}\n`;
      });
      yield seen(written.join(""));
    }
    yield lastLine(counts, hash.digest("hex"));
  }
  return writeBytes(file, passphrase, lines());
}

export interface Row {
  /** Number of its line. */
  line: number;
  table: string;
  json: string;
}

/** A file and how to open it, its header and its keys. */
export interface Copy {
  file: string;
  passphrase: string | undefined;
  header: Header;
  keys: string | undefined;
}

/**
 * Reads a whole copy and checks it.
 * @throws {StartError} with the number of the line, if it is damaged
 * @throws errors of `take`, which gets each row
 */
export async function readCopy(
  file: string,
  passphrase: string | undefined,
  take?: (row: Row) => Promise<void> | void,
): Promise<Copy> {
  const hash = createHash("sha256");
  const counts = new Map<string, number>();
  let [line, sum, isComplete] = [0, 0, false];
  let header: Header | undefined;
  let keys: string | undefined;
  for await (const bytes of readLines(file, passphrase)) {
    line += 1;
    const text = bytes.toString("utf8", 0, bytes.length - 1);
    const [, summed, table = "", json = "", stated] = rowPattern.exec(text) ?? [];
    if (isComplete) {
      throw new StartError(`${file}, line ${line}: damaged, it follows the last line.`);
    } else if (header === undefined) {
      header = parse(headerSchema, text, `${file}, line 1`);
      sum = crc32(text, sum);
    } else if (line === 2 && text.startsWith('{"keys":')) {
      ({ keys } = parse(keysSchema, text, `${file}, line 2`));
      sum = crc32(text, sum);
    } else if (summed !== undefined) {
      sum = crc32(summed, sum);
      if (hex(sum) !== stated || counts.size > mostTables) {
        throw new StartError(`${file}, line ${line}: damaged, changed or not in its place.`);
      }
      counts.set(table, (counts.get(table) ?? 0) + 1);
      await take?.({ line, table, json });
    } else if (`${text}\n` === lastLine(counts, hash.copy().digest("hex"))) {
      isComplete = true;
    } else {
      throw new StartError(`${file}, line ${line}: damaged, no row and not the right last line.`);
    }
    hash.update(bytes);
  }
  if (header === undefined || !isComplete) {
    throw new StartError(`${file} is damaged (its end is missing): use another one.`);
  }
  return { file, passphrase, header, keys };
}

const hex = (sum: number) => sum.toString(16).padStart(8, "0");

const lastLine = (counts: Map<string, number>, sha256: string) =>
  `${JSON.stringify({ rows: Object.fromEntries(counts), sha256 })}\n`;

/** Reads lines with their ends. Refuses a line that is too long before all of it is in memory. */
async function* readLines(file: string, passphrase: string | undefined): AsyncGenerator<Buffer> {
  let rest: Buffer = Buffer.alloc(0);
  let line = 1;
  for await (const chunk of readBytes(file, passphrase)) {
    const bytes = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield bytes.subarray(start, end + 1);
      start = end + 1;
      line += 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxLineBytes) {
      throw new StartError(`${file}, line ${line}: longer than ${maxLineBytes} bytes.`);
    }
  }
  if (rest.length > 0) {
    throw new StartError(`${file} is damaged (line ${line} is cut off): use another one.`);
  }
}

/** @throws {StartError} if the text is no JSON */
export function parseJson(text: string, place: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw new StartError(`${place}: not JSON.`);
  }
}

function parse<T>(schema: z.ZodType<T>, text: string, place: string): T {
  const result = schema.safeParse(parseJson(text, place));
  if (!result.success) {
    const [issue] = result.error.issues;
    throw new StartError(`${place}: ${issue?.path.join(".")} ${issue?.message}`);
  }
  return result.data;
}
