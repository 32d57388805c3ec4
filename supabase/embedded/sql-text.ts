/** A part of a statement, with values that become parameters. */
export class Part {
  readonly texts: readonly string[];
  readonly values: readonly unknown[];

  constructor(texts: readonly string[], values: readonly unknown[]) {
    this.texts = texts;
    this.values = values;
  }
}

/** A part of a statement, which is a value of its template: sql`… where ${part`id = ${id}`}`. */
export const part = (texts: TemplateStringsArray, ...values: unknown[]) => new Part(texts, values);

/**
 * A part that is not in the source, such as the name of a table. It must never be a visitor's text.
 */
export const rawPart = (text: string) => new Part([text], []);

/** Returns the text with numbered parameters, and their values. Throws TypeError for undefined. */
export function render(statement: Part): { text: string; values: unknown[] } {
  const values: unknown[] = [];
  const write = ({ texts, values: given }: Part): string =>
    texts
      .map((text, index) => {
        if (index === given.length) {
          return text;
        }
        const value = given[index];
        return text + (value instanceof Part ? write(value) : `$${values.push(toValue(value))}`);
      })
      .join("");
  return { text: write(statement), values };
}

function toValue(value: unknown): unknown {
  if (value === undefined) {
    throw new TypeError("A value of a statement is undefined");
  }
  // pg would write the time in the zone of this process, and a timestamp without a zone would ignore that
  // zone.
  return value instanceof Date ? value.toISOString() : value;
}
