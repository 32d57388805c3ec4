import * as fc from "fast-check";
import { expect, test } from "vitest";
import type { SheetColumn } from "#app/site-contract.server.ts";
import { anyCharacter } from "#tests/support/any-character.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { workbookOf } from "./workbook-of.ts";

const kinds: SheetColumn["kind"][] = ["text", "latin", "lines"];
const columns = kinds.map((kind): SheetColumn => ({ heading: kind, width: 9, kind }));

/** The texts of a sheet with one text, once in each kind of cell. */
async function shown(text: string) {
  const file = await workbookOf({ name: "س", columns, rows: [kinds.map(() => text)] });
  return readWorkbook(file).rows[1] ?? [];
}

test.each([
  "=1+1",
  "+966501234567",
  "-1",
  "@SUM(A1)",
  "=cmd|'/C calc'!A0",
  "00123",
  "2026-11-28",
  "سطر\nوسطر\tثانٍ",
  "  فراغ  ",
  "😀👨‍👩‍👧",
  "<b>&amp;</b>]]>",
  "constructor",
  "__proto__",
  "toString",
  "_x0041_ _x000D_",
  "__x005F_x0041_",
])("the text %j is a text in its cell, to the letter", async (text) => {
  expect(await shown(text)).toEqual(kinds.map(() => ({ type: "s", value: text })));
});

const letters = (value = "") => value.replace(/[^a-z]/g, "");

test("no text breaks the file", async () => {
  const text = fc.oneof(fc.string({ unit: anyCharacter }), fc.string({ unit: "binary" }));
  const check = fc.asyncProperty(fc.array(text, { maxLength: 100 }), async (texts) => {
    const rows = texts.map((each) => kinds.map(() => `س${each}`));
    const read = readWorkbook(await workbookOf({ name: "س", columns, rows })).rows.slice(1);
    // What XML does not allow, or advises against, is left out.
    expect(read.map(([cell, ...same]) => [letters(cell?.value), ...same])).toEqual(
      texts.map((each, index) => [letters(each), read[index]?.[0], read[index]?.[0]]),
    );
  });
  await fc.assert(check, { numRuns: 20 });
}, 60_000);

test("a text that is too long for Excel is cut", async () => {
  const cells = await shown("س".repeat(40_000));
  expect(cells.map((cell) => cell?.value.length)).toEqual([32_767, 32_767, 32_767]);
});

test("a time is the date and time of the owner's clocks, and nothing is an empty cell", async () => {
  const time: SheetColumn = { heading: "التاريخ", width: 17, kind: "time" };
  const rows = [["2026-11-28T22:30:15.123456+00:00"], [null], [""]];
  const { rows: read } = readWorkbook(await workbookOf({ name: "س", columns: [time], rows }));
  // 2026-11-29 01:30:15 in Riyadh, in days since 1899-12-30, which Excel counts from.
  const day = Date.UTC(2026, 10, 29, 1, 30, 15) / 86_400_000 + 25_569;
  expect(read).toEqual([[{ type: "s", value: "التاريخ" }], [{ type: undefined, value: `${day}` }]]);
});

test("the sheet is read from right to left, its headings stay in view, and numbers keep their plus in front", async () => {
  const { sheet, styles } = readWorkbook(
    await workbookOf({ name: "س", columns, rows: [["س", "+966501234567", "س"]] }),
  );
  expect(sheet).toMatch(/<sheetView [^>]*rightToLeft="1"/);
  expect(sheet).toMatch(/<pane ySplit="1"[^>]*state="frozen"/);
  expect(styles).toContain('<alignment horizontal="left" readingOrder="1"');
});
