import { notCovered } from "#embedded/rest/errors.ts";
import type { Scanner } from "./scanner.ts";

const nameCharacter = /^[\p{L}0-9_ $]$/u;
const isNameCharacter = (character: string) => nameCharacter.test(character);

/** Takes a name: quoted, or letters, ASCII digits, `_`, `$`, spaces and single hyphens. */
export function takeName(scanner: Scanner, expected = "field name"): string {
  scanner.skipSpaces();
  const quoted = scanner.takeQuoted();
  if (quoted !== undefined) {
    scanner.skipSpaces();
    return quoted;
  }
  const parts: string[] = [];
  do {
    const part = scanner.takeWhile(isNameCharacter);
    if (part === "") {
      scanner.fail(expected);
    }
    parts.push(part);
  } while (!scanner.startsWith("->") && scanner.take("-"));
  const name = parts.join("-").trim();
  return name === "" ? scanner.fail(expected) : name;
}

/** Takes a column name. Throws PGRST127 if a JSON path follows. */
export function takeColumn(scanner: Scanner): string {
  const name = takeName(scanner);
  if (scanner.startsWith("->")) {
    throw notCovered("A JSON path");
  }
  return name;
}

/** Takes a comma-separated list, as in `columns` and `on_conflict`, without duplicates. */
export function takeNames(scanner: Scanner): string[] {
  const names = new Set<string>();
  do {
    names.add(takeColumn(scanner));
  } while (scanner.take(","));
  scanner.expectEnd(",");
  return Array.from(names);
}
