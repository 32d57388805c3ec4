// A spreadsheet takes a cell that begins with one of these for a formula.
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** Begins a CSV file: without the byte order mark Excel does not read UTF-8. */
export const csvStart = "\uFEFF";

/** One record of RFC 4180, every field quoted and guarded: only JSON lines are exact. */
export function csvLine(fields: readonly (string | null)[]): string {
  const cells = fields.map((field) => {
    const text = field ?? "";
    const guarded = formulaStart.test(text) ? `'${text}` : text;
    return `"${guarded.replaceAll('"', '""')}"`;
  });
  return `${cells.join(",")}\r\n`;
}

export const jsonLine = (record: object): string => `${JSON.stringify(record)}\n`;
