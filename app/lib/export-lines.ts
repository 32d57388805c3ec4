// Spreadsheets run a cell that begins with one of these as a formula. Where the separator is a
// semicolon, as on Arabic Windows, a semicolon or line break inside quotes also begins a cell.
const formulaStart = /(?=[=+\-@＝＋－＠])(?<=^|[;\t\r\n]"*)|^(?=[\t\r\n])/g;

/** The start of a CSV file: Excel reads UTF-8 only with a byte order mark. */
export const csvStart = "\uFEFF";

/** A number with its country code. It runs nothing, and programs that dial it read no `'` before it. */
const phoneNumber = /^\+\d{7,15}$/;

/** One quoted CSV record (RFC 4180). Formulas get a `'`, so only JSON lines are exact. */
export function csvLine(fields: readonly (string | null)[]): string {
  const cells = fields.map((field) => {
    const text = field ?? "";
    const guarded = phoneNumber.test(text) ? text : text.replace(formulaStart, "'");
    return `"${guarded.replaceAll('"', '""')}"`;
  });
  return `${cells.join(",")}\r\n`;
}

export const jsonLine = (record: object): string => `${JSON.stringify(record)}\n`;
