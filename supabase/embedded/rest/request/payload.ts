import { isDeeperThan } from "#embedded/json-depth.ts";
import { badBody, RestError } from "#embedded/rest/errors.ts";
import { bounds } from "./bounds.ts";

/** A JSON body: the text as sent, and the keys of its rows. */
export interface Payload {
  text: string;
  isArray: boolean;
  rows: number;
  keys: string[];
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** Reads a body of at most 1 MiB. Throws 413 for more, 400 if it is not UTF-8. */
export async function readBody(request: Request): Promise<string> {
  const bytes = await readBytes(request).catch((error: unknown) => {
    // The connection closed before the end of the body.
    throw error instanceof RestError ? error : badBody("The body could not be read");
  });
  try {
    return utf8.decode(bytes);
  } catch {
    throw badBody("The body is not UTF-8");
  }
}

async function readBytes(request: Request): Promise<Uint8Array> {
  const declared = request.headers.get("content-length");
  if (declared !== null) {
    refuseLong(Number(declared));
    // Node's HTTP parser enforces Content-Length.
    return new Uint8Array(await request.arrayBuffer());
  }
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    refuseLong(length);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

function refuseLong(bytes: number): void {
  if (!(bytes <= bounds.bodyBytes)) {
    throw badBody("Request body is larger than 1 MiB", 413);
  }
}

/** Parses only the keys; PostgreSQL parses the values. With `columns` the keys may differ. */
export function readPayload(request: Request, text: string, columns?: string[]): Payload {
  const contentType = request.headers.get("content-type") ?? "application/json";
  const type = contentType.split(";")[0]?.trim().toLowerCase();
  if (type !== "application/json") {
    throw badBody(`Content-Type not acceptable: ${type}`);
  }
  const value = parseJson(text);
  const isArray = Array.isArray(value);
  const rows: unknown[] = isArray ? value : [value];
  if (rows.length > bounds.rowsIn) {
    throw badBody(`A request writes ${bounds.rowsIn} rows at most`, 413);
  }
  const [first, ...others] = rows.map(keysOf);
  const keys = columns ?? Array.from(first ?? []);
  if (!columns && first && others.some((other) => !areSame(first, other))) {
    throw badBody("All object keys must match");
  }
  return { text, isArray, rows: rows.length, keys };
}

function parseJson(text: string): unknown {
  if (isDeeperThan(text, bounds.jsonDepth)) {
    throw badBody(`The body nests deeper than ${bounds.jsonDepth} levels`);
  }
  try {
    return JSON.parse(text);
  } catch {
    throw badBody("Empty or invalid json");
  }
}

function keysOf(row: unknown): ReadonlySet<string> {
  if (typeof row !== "object" || row === null || Array.isArray(row)) {
    throw badBody("The body must be an object or an array of objects");
  }
  return new Set(Object.keys(row));
}

function areSame(a: ReadonlySet<string>, b: ReadonlySet<string>): boolean {
  return a.size === b.size && Array.from(b).every((key) => a.has(key));
}
