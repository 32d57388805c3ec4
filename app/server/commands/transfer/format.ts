import { createHash } from "node:crypto";
import { z } from "zod";
import { StartError } from "#app/lib/start-error.ts";
import { readBytes, writeBytes } from "./bytes.ts";
import { eachMinute } from "./progress.ts";

// A copy is in JSON Lines: a header, the keys of a backup, one row a line, referenced tables first, and at
// the end how many rows there were. The first format, of 1.0.0, has a sum on each line, which is not read,
// and at the end a SHA-256 of all lines before.

const headerSchema = z.object({
  format: z.literal([1, 2]),
  /** Version of the site that wrote it. */
  version: z.string().max(100),
  /** The newest migration of the site that its database had. */
  migration: z
    .string()
    .regex(/^\d{1,20}$/)
    .optional(),
  time: z.iso.datetime(),
  /** Names the secrets with which factors and the like are sealed. */
  keys: z.string().max(300),
  rows: z.int().min(0),
});
export type Header = z.infer<typeof headerSchema>;

/** The text of keys.json. */
const keysSchema = z.strictObject({ keys: z.string().max(10_000) });
const endSchema = z.strictObject({ rows: z.int() });
const firstEndSchema = z.strictObject({ rows: z.record(z.string(), z.int()), sha256: z.string() });

const rowPattern = /^\{"table":"([^"\\]{1,200})","row":(\{.*\})(?:,"sum":"[0-9a-f]{8}")?\}$/s;

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

/** Writes a copy to a new file. @throws errors of `batches` and of the file system */
export function writeCopy(
  file: string,
  passphrase: string | undefined,
  copy: { header: Header; keys: string | undefined; batches: AsyncIterable<Batch> },
): Promise<void> {
  async function* text() {
    let count = 0;
    using _ = eachMinute(() => `${count} of ${copy.header.rows} rows copied`);
    yield `${JSON.stringify(copy.header)}\n`;
    if (copy.keys !== undefined) {
      yield `${JSON.stringify({ keys: copy.keys })}\n`;
    }
    for await (const { table, rows } of copy.batches) {
      yield rows.map((row) => `{"table":"${table}","row":${row}}\n`).join("");
      count += rows.length;
    }
    yield `${JSON.stringify({ rows: count })}\n`;
  }
  return writeBytes(file, passphrase, text());
}

/** A whole file, and how to read it again. */
export interface Copy {
  file: string;
  passphrase: string | undefined;
  header: Header;
  keys: string | undefined;
  /** How many rows each table has. */
  counts: Map<string, number>;
}

/**
 * Reads a copy to its end and checks it.
 * @param take gets the rows, and the number of the first line. Damage may follow after rows that it got
 * @throws {StartError} if the file is damaged
 * @throws errors of `take`
 */
export async function readCopy(
  file: string,
  passphrase: string | undefined,
  take?: (batch: Batch, line: number) => Promise<void>,
): Promise<Copy> {
  const counts = new Map<string, number>();
  let header: Header | undefined;
  let keys: string | undefined;
  let hash: ReturnType<typeof createHash> | undefined;
  let isComplete = false;
  let line = 0;
  let total = 0;
  using _ = eachMinute(() => `${total} of ${header?.rows} rows read`);
  let batch = { table: "", rows: [] as string[], line, chars: 0 };
  for await (const text of readLines(file, passphrase)) {
    line += 1;
    const place = `${file}, line ${line}`;
    const [, table, json] = rowPattern.exec(text) ?? [];
    const { length } = batch.rows;
    if (length > 0 && (table !== batch.table || length === batchRows || batch.chars > batchChars)) {
      await take?.(batch, batch.line);
      batch = { table: "", rows: [], line, chars: 0 };
    }
    if (header === undefined) {
      header = parse(headerSchema, text, place);
      hash = header.format === 1 ? createHash("sha256") : undefined;
    } else if (line === 2 && text.startsWith('{"keys":')) {
      ({ keys } = parse(keysSchema, text, place));
    } else if (table && json && !isComplete && counts.size < mostTables) {
      total += 1;
      counts.set(table, (counts.get(table) ?? 0) + 1);
      batch = batch.rows.length === 0 ? { ...batch, table, line } : batch;
      batch.rows.push(json);
      batch.chars += json.length;
    } else if (isComplete || !isEnd(text, total, hash)) {
      throw new StartError(`${place}: damaged, changed or not in its place.`);
    } else {
      isComplete = true;
    }
    hash?.update(`${text}\n`);
  }
  if (header === undefined || !isComplete) {
    throw new StartError(`${file} is damaged: its end is missing.`);
  }
  return { file, passphrase, header, keys, counts };
}

/** Whether a line is the right end after so many rows, or after lines with this hash in the first format. */
function isEnd(text: string, rows: number, hash: ReturnType<typeof createHash> | undefined) {
  let end: unknown;
  try {
    end = JSON.parse(text);
  } catch {
    return false;
  }
  return hash === undefined
    ? endSchema.safeParse(end).data?.rows === rows
    : firstEndSchema.safeParse(end).data?.sha256 === hash.copy().digest("hex");
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
