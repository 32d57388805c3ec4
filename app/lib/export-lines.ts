// Excel and others take a cell that begins with one of these, also in full width, for a formula.
const formulaStart = /^[=+\-@\t\r\n＝＋－＠]/;

/** Begins a CSV file: without the byte order mark Excel does not read UTF-8. */
export const csvStart = "\uFEFF";

/**
 * One record of a CSV file (RFC 4180), every field quoted. A field that a spreadsheet would run
 * gets a `'` in front, so that what is read back may differ: JSON lines are exact.
 */
export function csvLine(fields: readonly (string | null)[]): string {
  const cells = fields.map((field) => {
    const text = field ?? "";
    const guarded = formulaStart.test(text) ? `'${text}` : text;
    return `"${guarded.replaceAll('"', '""')}"`;
  });
  return `${cells.join(",")}\r\n`;
}

/** One record of a JSON lines file. */
export const jsonLine = (record: object): string => `${JSON.stringify(record)}\n`;
