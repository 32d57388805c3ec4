import type { Scanner } from "./scanner.ts";

const endsItem = (character: string) => character === "," || character === ")";
const isItem = (character: string) => !endsItem(character);
const isInBraces = (character: string) => character !== "{" && character !== "}";

/** Takes the items of `in.(a,"b,c")`. Only a whole item can be quoted. */
export function takeList(scanner: Scanner): string[] {
  scanner.expect("(");
  scanner.skipSpaces();
  const items: string[] = [];
  do {
    items.push(takeItem(scanner));
  } while (scanner.take(","));
  scanner.expect(")");
  return items;
}

/** Takes a value in a group: quoted, an array in braces, or text up to `,` or `)`. */
export function takeGroupValue(scanner: Scanner): string {
  const start = scanner.position;
  if (scanner.take("{")) {
    const inner = scanner.takeWhile(isInBraces);
    if (scanner.take("}")) {
      return `{${inner}}`;
    }
    scanner.position = start;
  }
  return takeItem(scanner);
}

function takeItem(scanner: Scanner): string {
  const start = scanner.position;
  const quoted = scanner.takeQuoted();
  if (quoted !== undefined && endsItem(scanner.next)) {
    return quoted;
  }
  scanner.position = start;
  return scanner.takeWhile(isItem);
}

/** Returns an array literal of PostgreSQL. A single empty item is an empty list: `in.()`. */
export function arrayLiteral(items: readonly string[]): string {
  if (items.length === 1 && items[0] === "") {
    return "{}";
  }
  const quoted = items.map((item) => `"${item.replaceAll(/["\\]/g, String.raw`\$&`)}"`);
  return `{${quoted.join(",")}}`;
}
