import type { CatalogText } from "#embedded/rest/catalog.ts";

// Private fields make the type nominal: only this module can create a piece.
class Piece {
  readonly #texts: readonly string[];
  readonly #pieces: readonly Piece[];
  readonly #value: string | undefined;

  /** Either texts with pieces between them, or a value. */
  constructor(texts: readonly string[], pieces: readonly Piece[], value?: string) {
    this.#texts = texts;
    this.#pieces = pieces;
    this.#value = value;
  }

  /** Returns the text and appends the values of its placeholders. */
  write(values: string[]): string {
    if (this.#value !== undefined) {
      return `$${values.push(this.#value)}`;
    }
    let text = "";
    // By index: entries() allocates a pair per step, and this runs a hundred times per statement.
    for (let index = 0; index < this.#texts.length; index += 1) {
      const piece = this.#pieces[index];
      text += this.#texts[index] ?? "";
      text += piece instanceof Piece ? piece.write(values) : "";
    }
    return text;
  }
}

/**
 * A piece of a statement. Its text comes only from template literals in this folder and from the
 * catalog. Values of the request are parameters.
 */
export type Sql = Piece;

/** A statement for the driver: `text` has placeholders `$1`, `$2`, … for `values`. */
export interface Statement {
  text: string;
  values: string[];
}

/** Creates SQL from a template literal that interpolates only other pieces. */
export function sql(texts: TemplateStringsArray, ...pieces: Sql[]): Sql {
  return new Piece(texts, pieces);
}

/** Creates a parameter for a value of the request. PostgreSQL infers its type. */
export function parameter(value: string): Sql {
  return new Piece([], [], value);
}

/** Creates SQL from a name, type or expression that PostgreSQL quoted. */
export function fromCatalog(text: CatalogText): Sql {
  return new Piece([text], []);
}

/** Joins pieces with `separator`. Returns an empty piece if there are none. */
export function join(pieces: readonly Sql[], separator: Sql): Sql {
  const all = pieces.flatMap((piece, index) => (index > 0 ? [separator, piece] : [piece]));
  return new Piece(Array<string>(all.length).fill(""), all);
}

/** Renders a statement. Its text depends on the pieces only, not on values. */
export function render(statement: Sql): Statement {
  const values: string[] = [];
  return { text: statement.write(values), values };
}

/** Creates an integer literal. For positions, never for values of a request. */
export function ordinal(number: number): Sql {
  return new Piece([BigInt(number).toString()], []);
}
