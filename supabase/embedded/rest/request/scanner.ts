import { RestError } from "#embedded/rest/errors.ts";

/** Scans text in linear time: it never backtracks more than one token. Throws PGRST100. */
export class Scanner {
  readonly #what: string;
  readonly #text: string;
  #at = 0;

  /** @param what the part of the request, as PostgREST's errors name it */
  constructor(what: string, text: string) {
    this.#what = what;
    this.#text = text;
  }

  get position(): number {
    return this.#at;
  }

  set position(at: number) {
    this.#at = at;
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#text.length;
  }

  /** The next code point, or an empty string at the end. */
  get next(): string {
    return this.isAtEnd ? "" : String.fromCodePoint(this.#text.codePointAt(this.#at) ?? 0);
  }

  startsWith(literal: string): boolean {
    return this.#text.startsWith(literal, this.#at);
  }

  take(literal: string): boolean {
    const isNext = this.startsWith(literal);
    if (isNext) {
      this.#at += literal.length;
    }
    return isNext;
  }

  takeWhile(isWanted: (character: string) => boolean): string {
    const start = this.#at;
    while (!this.isAtEnd && isWanted(this.next)) {
      this.#at += this.next.length;
    }
    return this.#text.slice(start, this.#at);
  }

  takeRest(): string {
    const rest = this.#text.slice(this.#at);
    this.#at = this.#text.length;
    return rest;
  }

  skipSpaces(): void {
    this.takeWhile((character) => character === " ");
  }

  /** Takes a double-quoted string, in which a backslash escapes the next character. */
  takeQuoted(): string | undefined {
    const start = this.#at;
    if (!this.take('"')) {
      return undefined;
    }
    const characters: string[] = [];
    while (!this.isAtEnd) {
      if (this.take('"')) {
        return characters.join("");
      }
      this.take("\\");
      characters.push(this.next);
      this.#at += this.next.length;
    }
    this.#at = start;
    return undefined;
  }

  expect(literal: string): void {
    if (!this.take(literal)) {
      this.fail(`"${literal}"`);
    }
  }

  expectEnd(alternative?: string): void {
    if (!this.isAtEnd) {
      this.fail(alternative ? `"${alternative}" or end of input` : "end of input");
    }
  }

  fail(expected: string): never {
    const found = this.isAtEnd ? "end of input" : `'${this.next}'`;
    throw new RestError(400, {
      code: "PGRST100",
      message: `"failed to parse ${this.#what} (${this.#text})" (line 1, column ${this.#at + 1})`,
      details: `unexpected ${found} expecting ${expected}`,
    });
  }
}
