import type { CatalogText } from "#embedded/rest/catalog.ts";

type Part = string | { value: string };

// Private state makes the class nominal: only this module's functions can make a piece.
class Piece {
  readonly #parts: readonly Part[];

  constructor(parts: readonly Part[]) {
    this.#parts = parts;
  }

  get parts(): readonly Part[] {
    return this.#parts;
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
  return new Piece(texts.flatMap((text, index) => [text, ...(pieces[index]?.parts ?? [])]));
}

/** A value of the request: always a parameter, of the type that PostgreSQL infers. */
export function parameter(value: string): Sql {
  return new Piece([{ value }]);
}

/** A name, type or expression that PostgreSQL wrote out and quoted itself. */
export function fromCatalog(text: CatalogText): Sql {
  return new Piece([text]);
}

/** The pieces with `separator` between them; an empty piece if there are none. */
export function join(pieces: readonly Sql[], separator: Sql): Sql {
  return new Piece(
    pieces.flatMap((piece, index) => [...(index > 0 ? separator.parts : []), ...piece.parts]),
  );
}

/** The statement that the pieces make. Its text depends on the pieces alone, not on values. */
export function render(statement: Sql): Statement {
  const values: string[] = [];
  const texts = statement.parts.map((part) =>
    typeof part === "string" ? part : `$${values.push(part.value)}`,
  );
  return { text: texts.join(""), values };
}

/** A whole number as it is written in SQL, for positions and not for values of a request. */
export function ordinal(number: number): Sql {
  return new Piece([BigInt(number).toString()]);
}
