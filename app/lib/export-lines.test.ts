import * as fc from "fast-check";
import { expect, test } from "vitest";
import { anyCharacter } from "#tests/support/any-character.ts";
import { csvLine, jsonLine } from "./export-lines.ts";

/** Reads CSV by RFC 4180, as a spreadsheet does. */
function readCsv(text: string): string[][] {
  const records: string[][] = [];
  let record: string[] = [];
  for (const [, quoted = "", end] of text.matchAll(/"((?:[^"]|"")*)"(,|\r\n)/g)) {
    record.push(quoted.replaceAll('""', '"'));
    if (end !== ",") {
      records.push(record);
      record = [];
    }
  }
  return records;
}

const hostile = fc.stringMatching(/^[=+\-@\t\r\n＝＋－＠",;' اب1]{0,8}$/);
const field = fc.oneof(fc.string(), fc.string({ unit: anyCharacter }), hostile);

test("every field comes back, with a guard or without", () => {
  fc.assert(
    fc.property(fc.array(fc.array(field, { minLength: 1 }), { minLength: 1 }), (records) => {
      const back = readCsv(records.map(csvLine).join(""));
      expect(back.map((record) => record.map((text) => text.replaceAll("'", "")))).toEqual(
        records.map((record) => record.map((text) => text.replaceAll("'", ""))),
      );
    }),
  );
});

test("no field begins as a formula, and every one is quoted", () => {
  fc.assert(
    fc.property(fc.array(field, { minLength: 1 }), (fields) => {
      const line = csvLine(fields);
      expect(line).toMatch(/^".*"\r\n$/s);
      for (const text of readCsv(line).flat()) {
        expect(text).not.toMatch(/^[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20]/);
      }
    }),
  );
});

/** Reads a line as a spreadsheet with another separator does: quotes begin at a cell's start. */
function cellsOf(line: string, separator: string): string[] {
  const cell = new RegExp(
    `(?:^|[${separator}\\r\\n])((?:"(?:[^"]|"")*")?[^${separator}\\r\\n]*)`,
    "g",
  );
  return Array.from(line.matchAll(cell), ([, text = ""]) =>
    text.replace(/^"((?:[^"]|"")*)"/, (_, quoted: string) => quoted.replaceAll('""', '"')),
  );
}

test.each([
  [";", "x;=1+1"],
  [";", 'x;"=1+1'],
  [";", 'x;""""@SUM(1)'],
  [";", "x\n=1+1"],
  [";", 'x\r\n"+1'],
  ["\t", "x\t\uFF1D1"],
])("no part of a field begins as a formula where cells are parted by %j: %j", (separator, text) => {
  for (const cell of cellsOf(csvLine(["أ", text]), separator)) {
    expect(cell).not.toMatch(/^[=+\-@\uFF1D\uFF0B\uFF0D\uFF20]/);
  }
});

test("a phone number is one that programs read, and all else that begins with a plus is guarded", () => {
  const fields = ["+966501234567", "+966501234567+1", "+966501234567\n", "+A1", "-966501234567"];
  const [number, ...guarded] = readCsv(csvLine(fields)).flat();
  expect(number).toBe("+966501234567");
  expect(guarded).toEqual(fields.slice(1).map((text) => `'${text}`));
});

test("nothing is an empty field", () => {
  expect(csvLine([null, "", "س"])).toBe('"","","س"\r\n');
});

test("a line of JSON is one line, and exact", () => {
  fc.assert(
    fc.property(
      fc.record({ a: fc.string({ unit: anyCharacter }), b: fc.constant(null) }),
      (record) => {
        const line = jsonLine(record);
        expect(line.indexOf("\n")).toBe(line.length - 1);
        expect(JSON.parse(line)).toEqual(record);
      },
    ),
  );
});
