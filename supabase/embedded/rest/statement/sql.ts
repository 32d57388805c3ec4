import type { CatalogText } from "#embedded/rest/catalog.ts";

// Private state makes the class nominal: only this module's functions can make a piece.
class Piece {
  readonly #texts: readonly string[];
  readonly #pieces: readonly Piece[];
  readonly #value: string | undefined;

  /** The texts with the pieces between them, or a value. */
  constructor(texts: readonly string[], pieces: readonly Piece[], value?: string) {
    this.#texts = texts;
    this.#pieces = pieces;
    this.#value = value;
  }

  /** Returns the text, and adds the values that it has placeholders for. */
  write(values: string[]): string {
    if (this.#value !== undefined) {
      return `$${values.push(this.#value)}`;
    }
    let text = "";
    // By index: this runs a hundred times for a statement, and entries() makes a pair each time.
    for (let index = 0; index < this.#texts.length; index += 1) {
      const piece = this.#pieces[index];
      text += this.#texts[index] ?? "";
      text += piece instanceof Piece ? piece.write(values) : "";
    }
    return text;
  }
}

/**
 * A piece of a statement. Its text comes from template literals in this folder and from the
 * catalog. Values of the request are kept apart and leave as parameters.
 */
export type Sql = Piece;

/** A statement as the driver takes it: `text` holds `$1`, `$2`, … for the `values`. */
export interface Statement {
  text: string;
  values: string[];
}

/** SQL from a template literal, in which only other pieces can be put. */
export function sql(texts: TemplateStringsArray, ...pieces: Sql[]): Sql {
  return new Piece(texts, pieces);
}

/** A value of the request: always a parameter, of the type that PostgreSQL infers. */
export function parameter(value: string): Sql {
  return new Piece([], [], value);
}

/** A name, type or expression that PostgreSQL wrote out and quoted itself. */
export function fromCatalog(text: CatalogText): Sql {
  return new Piece([text], []);
}

/** The pieces with `separator` between them; an empty piece if there are none. */
export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const all = pieces.flatMap((piece, index) => (index > 0 ? [separator, piece] : [piece]));
  return new Piece(Array<string>(all.length).fill(""), all);
}

/** The statement that the pieces make. Its text depends on the pieces alone, not on values. */
export function render(statement: Sql): Statement {
  const values: string[] = [];
  return { text: statement.write(values), values };
}

/** A whole number as it is written in SQL, for positions and not for values of a request. */
export function ordinal(number: number): Sql {
  return new Piece([BigInt(number).toString()], []);
}
