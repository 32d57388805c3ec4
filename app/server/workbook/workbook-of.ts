import writeExcelFile, { type Row } from "write-excel-file/node";
import { clockTime } from "#app/models/date.server.ts";
import type { Sheet, SheetColumn } from "#app/site-contract.server.ts";

// Excel's limit.
const longest = 32_767;

// Without it, a number in a sheet that is read from right to left has its plus at the end.
const leftToRight = {
  files: {
    transform: {
      "xl/styles.xml": {
        transform: (xml: string) => xml.replaceAll('horizontal="left"', '$& readingOrder="1"'),
      },
    },
  },
};

/** The bytes of an .xlsx file, which spreadsheets open from right to left with its headings in view. */
export function workbookOf({ name, columns, rows }: Sheet): Promise<Uint8Array> {
  const headings: Row = columns.map(({ heading }) => ({ value: heading, fontWeight: "bold" }));
  const cells = rows.map((row) => columns.map((column, index) => cellOf(column, row[index] ?? "")));
  const sheet = {
    sheet: name,
    columns: columns.map(({ width }) => ({ width })),
    rightToLeft: true,
    stickyRowsCount: 1,
  };
  return writeExcelFile([headings, ...cells], sheet, { features: [leftToRight] }).toBuffer();
}

function cellOf({ kind }: SheetColumn, text: string): Row[number] {
  if (text === "") {
    return null;
  }
  switch (kind) {
    case "time":
      // The format names a language, or a Saudi machine would show the Hijri date.
      return { value: clockTime(text), format: "[$-409]yyyy-mm-dd hh:mm", alignVertical: "top" };
    case "lines":
      return { value: exactText(text), type: String, wrap: true, alignVertical: "top" };
    case "text":
      return textCell(text);
    case "latin":
      return { ...textCell(text), align: "left" };
  }
}

/** The format keeps it a text when the cell is edited. */
const textCell = (text: string) =>
  ({ value: exactText(text), type: String, format: "@", alignVertical: "top" }) as const;

/** A text as the file must say it, so that spreadsheets show it as it is. */
function exactText(text: string): string {
  // Excel reads _x0041_ as A, and _x005F_ as _.
  const exact = text.slice(0, longest).replace(/_(?=x[\dA-Fa-f]{4}_)/g, "_x005F_");
  // write-excel-file looks texts up in an object that has a "constructor". It takes out the NUL.
  return exact in Object.prototype ? `\0${exact}` : exact;
}
