import { readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { text } from "node:stream/consumers";
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
  format: 1,
  version: "1.0.0",
  migrations: ["20261122000000"],
  time: "2026-11-21T00:00:00.000Z",
  keys: "these",
  rows: 3,
};
const rows = ['{"name":"هند \\"و\\" سارة"}', '{"name":"b"}', '{"name":"c","at":null}'];

const write = (passphrase?: string) =>
  writeCopy(file, passphrase, {
    header,
    keys: "{}",
    batches: (async function* () {
      yield { table: "public.names", rows: rows.slice(0, 2) };
      yield { table: "public.others", rows: rows.slice(2) };
    })(),
  });

async function read(passphrase?: string) {
  const taken: string[] = [];
  const copy = await readCopy(file, passphrase, async (batch, line) => {
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

/** Returns what the reader says of a file that it refuses. */
const refusal = (passphrase?: string) =>
  read(passphrase).then(
    () => "accepted",
    (error: Error) => {
      expect(error).toBeInstanceOf(StartError);
      return error.message.replace(file, "FILE");
    },
  );

/** Returns what the reader says of lines with the right compression. */
async function said(...lines: string[]) {
  await writeLines(lines);
  return refusal();
}

test.each([undefined, "a long passphrase"])("a copy is read as it was written", async (secret) => {
  await write(secret);
  expect(await read(secret)).toMatchObject({
    header,
    keys: "{}",
    taken: [`3 public.names ${rows[0]} ${rows[1]}`, `5 public.others ${rows[2]}`],
    counts: new Map([
      ["public.names", 2],
      ["public.others", 1],
    ]),
  });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  expect((await readFile(file)).includes("names")).toBe(false);
});

test("a passphrase that is missing or wrong is named", async () => {
  await write("a long passphrase");
  expect(await refusal()).toBe("FILE is encrypted: set BACKUP_PASSPHRASE.");
  expect(await refusal("another passphrase")).toBe("BACKUP_PASSPHRASE does not open FILE.");
});

test.each([undefined, "a long passphrase"])(
  "a file with a changed byte, or one that ends too early, is damaged",
  async (secret) => {
    await write(secret);
    const bytes = await readFile(file);
    // The passphrase takes its second each time.
    const step = secret === undefined ? 1 : Math.ceil(bytes.length / 4);
    for (let position = 0; position < bytes.length; position += step) {
      const changed = Buffer.from(bytes);
      changed.writeUInt8(changed.readUInt8(position) ^ 0x10, position);
      for (const damaged of [changed, bytes.subarray(0, position)]) {
        await writeFile(file, damaged);
        expect(await refusal(secret)).toMatch(/damaged|is encrypted|does not open/);
      }
    }
  },
  120_000,
);

const wrong = (line: number) => `FILE, line ${line}: damaged, changed or not in its place.`;

test("a changed, removed, doubled or moved line is found by its number", async () => {
  await write();
  const lines = (await text(readBytes(file, undefined))).trimEnd().split("\n");
  const [first = "", keys = "", one = "", two = "", three = "", last = ""] = lines;
  expect(await said(...lines)).toBe("accepted");
  expect(await said(first, keys, one, two.replace('"b"', '"B"'), three, last)).toBe(wrong(4));
  expect(await said(first, keys, one, three, last)).toBe(wrong(4));
  expect(await said(first, keys, one, one, two, three, last)).toBe(wrong(4));
  expect(await said(first, keys, two, one, three, last)).toBe(wrong(3));
  expect(await said(first.replace("these", "those"), ...lines.slice(1))).toBe(wrong(3));
  expect(await said(first, one, two, three, last)).toBe(wrong(2));
  expect(await said(first, keys, one, two, last)).toBe(wrong(5));
  expect(await said(...lines, one)).toBe(wrong(7));
  expect(await said(first, keys, one, two, three, last.replace('":2', '":3'))).toBe(wrong(6));
  expect(await said(...lines.slice(0, -1))).toMatch(/its end is missing/);
});

test("what is no copy, or one of a newer version, is refused in one sentence", async () => {
  expect(await refusal()).toMatch(/^FILE cannot be read: ENOENT/);
  await expect(readCopy(folder.path, undefined)).rejects.toThrow(/cannot be read: EISDIR/);
  await writeFile(file, "");
  expect(await refusal()).toMatch(/^FILE is no backup and no export of this site, or is damaged/);
  await writeLines([]);
  expect(await refusal()).toMatch(/its end is missing/);
  for (const line of [
    "hello",
    JSON.stringify({ ...header, format: 2 }),
    '{"__proto__":{"format":1}}',
  ]) {
    await writeLines([line]);
    expect(await refusal()).toBe("FILE, line 1: damaged, or made by a newer version of the site.");
  }
});

test("a line of a gigabyte is refused, and takes no memory", async () => {
  const million = "x".repeat(1_000_000);
  await writeBytes(
    file,
    undefined,
    (async function* () {
      yield `${JSON.stringify(header)}\n`;
      for (let count = 0; count < 1000; count += 1) {
        yield million;
      }
    })(),
  );
  expect((await stat(file)).size).toBeLessThan(1_000_000);
  const before = process.memoryUsage().rss;
  expect(await refusal()).toMatch(/^FILE, line 2: damaged/);
  expect(process.memoryUsage().rss - before).toBeLessThan(100e6);
});
