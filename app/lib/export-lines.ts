// A spreadsheet takes a cell that begins with one of these for a formula. Where cells are parted by
// semicolons, as Arabic Windows does, quotes inside of a cell count for nothing.
const formulaStart = /(?=[=+\-@＝＋－＠])(?<=^|[;\t\r\n]"*)|^(?=[\t\r\n])/g;

/** Begins a CSV file: without the byte order mark Excel does not read UTF-8. */
export const csvStart = "\uFEFF";

/** One record of RFC 4180, every field quoted and guarded: only JSON lines are exact. */
export function csvLine(fields: readonly (string | null)[]): string {
  const cells = fields.map((field) => {
    const guarded = (field ?? "").replace(formulaStart, "'");
    return `"${guarded.replaceAll('"', '""')}"`;
  });
  return `${cells.join(",")}\r\n`;
}

export const jsonLine = (record: object): string => `${JSON.stringify(record)}\n`;
