import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { assert, asyncProperty, nat } from "fast-check";
import { beforeEach, expect, test } from "vitest";
import { StartError } from "#app/lib/start-error.ts";
import { useFolder } from "#tests/support/use-folder.ts";
import { readBytes, writeBytes } from "./bytes.ts";
import { type Header, readCopy, writeCopy } from "./format.ts";

const folder = useFolder();
let file: string;
beforeEach(() => {
  file = join(folder.path, "copy.jsonl.zst");
});

const header: Header = {
  format: 2,
  version: "2.0.0",
  migration: "20261122000000",
  time: "2026-11-21T00:00:00.000Z",
  keys: "these",
  rows: 3,
};
const rows = ['{"name":"هند \\"و\\" سارة"}', '{"name":"b"}', '{"name":"c","at":null}'];

const write = () =>
  writeCopy(file, undefined, {
    header,
    keys: "{}",
    batches: (async function* () {
      yield { table: "public.names", rows: rows.slice(0, 2) };
      yield { table: "public.others", rows: rows.slice(2) };
    })(),
  });

async function read() {
  const taken: string[] = [];
  const copy = await readCopy(file, undefined, async (batch, line) => {
    taken.push(`${line} ${batch.table} ${batch.rows.join(" ")}`);
  });
  return { ...copy, taken };
}

/** Writes lines as they are, with the right compression. */
async function writeLines(lines: string[]): Promise<void> {
  await rm(file, { force: true });
  await writeBytes(
    file,
    undefined,
    (async function* () {
      yield* lines.map((line) => `${line}\n`);
    })(),
  );
}

/** Returns why the reader refuses a file. */
const refusal = () =>
  read().then(
    () => "accepted",
    (error: Error) => {
      expect(error).toBeInstanceOf(StartError);
      return error.message.replace(file, "FILE");
    },
  );

/** Returns why the reader refuses lines with the right compression, or "accepted". */
async function refusalOf(...lines: string[]) {
  await writeLines(lines);
  return refusal();
}

test("a copy is read as it was written", async () => {
  await write();
  expect(await read()).toMatchObject({
    header,
    keys: "{}",
    taken: [`3 public.names ${rows[0]} ${rows[1]}`, `5 public.others ${rows[2]}`],
    counts: new Map([
      ["public.names", 2],
      ["public.others", 1],
    ]),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
});

test("no other rows are read from a file with a changed byte, or one that ends too early", async () => {
  await write();
  const { taken } = await read();
  const bytes = await readFile(file);
  const readOut = () =>
    read().then(
      (copy) => copy.taken.join("\n"),
      (error: Error) => error.message,
    );
  // A few bits of the compression mean nothing, and so does an empty frame that Node adds at the end.
  const expected = (outcome: string) =>
    outcome === taken.join("\n") || /damaged|is encrypted|does not open/.test(outcome);
  // A failure prints the seed.
  await assert(
    asyncProperty(nat(bytes.length - 1), nat(7), async (position, bit) => {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(position) ^ (1 << bit), position);
      for (const damaged of [changed, bytes.subarray(0, position)]) {
        await writeFile(file, damaged);
        expect(await readOut()).toSatisfy(expected);
      }
    }),
    { numRuns: 100 },
  );
  for (const damaged of [bytes.subarray(0, -20), Buffer.alloc(bytes.length, 1)]) {
    await writeFile(file, damaged);
    expect(await refusal()).toMatch(/damaged/);
  }
});

test("a file has a checksum of its text, before the empty frame that Node adds", async () => {
  await write();
  const bytes = await readFile(file);
  const position = bytes.length - 17;
  bytes.writeUInt8(bytes.readUInt8(position) ^ 1, position);
  await writeFile(file, bytes);
  expect(await refusal()).toMatch(/is damaged \(.*checksum\)/);
});

const wrong = (line: number) => `FILE, line ${line}: damaged, changed or not in its place.`;

test("a line too few, too many or after the end is found", async () => {
  await write();
  const lines = (await text(readBytes(file, undefined))).trimEnd().split("\n");
  const [first = "", keys = "", one = "", two = "", three = "", last = ""] = lines;
  expect(last).toBe('{"rows":3}');
  expect(await refusalOf(...lines)).toBe("accepted");
  expect(await refusalOf(first, keys, one, three, last)).toBe(wrong(5));
  expect(await refusalOf(first, keys, one, one, two, three, last)).toBe(wrong(7));
  expect(await refusalOf(first, one, two, three, keys, last)).toBe(wrong(5));
  expect(await refusalOf(...lines, one)).toBe(wrong(7));
  expect(await refusalOf(first, keys, one, two, three, "{}")).toBe(wrong(6));
  expect(await refusalOf(...lines.slice(0, -1))).toMatch(/its end is missing/);
});

const release = new URL("../../../../tests/contract/backup-1.0.0.jsonl.zst", import.meta.url);

test("in a file of 1.0.0 the SHA-256 of the last line finds a change", async () => {
  const lines = (await text(readBytes(release.pathname, undefined))).trimEnd().split("\n");
  expect(await refusalOf(...lines)).toBe("accepted");
  const changed = lines.map((line) => line.replace("owner@example.com", "other@example.com"));
  expect(changed).not.toEqual(lines);
  expect(await refusalOf(...changed)).toBe(wrong(lines.length));
  expect(await refusalOf(...lines.toSpliced(20, 1))).toBe(wrong(lines.length - 1));
});

test("what is no copy, or one of a newer version, is refused in one sentence", async () => {
  expect(await refusal()).toMatch(/^FILE cannot be read: ENOENT/);
  await expect(readCopy(folder.path, undefined)).rejects.toThrow(/cannot be read: EISDIR/);
  await writeFile(file, "");
  expect(await refusal()).toMatch(/^FILE is no backup of this site, or is damaged/);
  await writeLines([]);
  expect(await refusal()).toMatch(/its end is missing/);
  for (const line of [
    "hello",
    JSON.stringify({ ...header, format: 3 }),
    '{"__proto__":{"format":1}}',
  ]) {
    await writeLines([line]);
    expect(await refusal()).toBe("FILE, line 1: damaged, or made by a newer version of the site.");
  }
});

test("a line of 300 MB is refused, and takes no memory", async () => {
  const million = "x".repeat(1_000_000);
  await writeBytes(
    file,
    undefined,
    (async function* () {
      yield `${JSON.stringify(header)}\n`;
      for (let count = 0; count < 300; count += 1) {
        yield million;
      }
    })(),
  );
  expect((await stat(file)).size).toBeLessThan(1_000_000);
  const before = process.memoryUsage().rss;
  expect(await refusal()).toMatch(/^FILE, line 2: damaged/);
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
});
