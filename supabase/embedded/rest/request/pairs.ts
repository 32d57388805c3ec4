import { RestError, tooMuch } from "#embedded/rest/errors.ts";
import { bounds } from "./bounds.ts";

export type Pair = readonly [key: string, value: string];

/** Splits a query at `&` and `;`. Throws 414 if it is too long, 400 if it is not UTF-8. */
export function readPairs(search: string): Pair[] {
  if (search.length > bounds.queryBytes) {
    throw tooMuch(`The query is longer than ${bounds.queryBytes} bytes`, 414);
  }
  if (search === "") {
    return [];
  }
  return search
    .replace(/^\?/, "")
    .split(/[&;]/)
    .flatMap((pair): Pair[] => {
      const equals = pair.indexOf("=");
      return equals === -1 ? [] : [[decode(pair.slice(0, equals)), decode(pair.slice(equals + 1))]];
    });
}

const decode = (text: string) => decodeText(text.replaceAll("+", " "));

/** Decodes percent-encoding. Leaves malformed escapes unchanged. */
export function decodeText(encoded: string): string {
  let text: string;
  try {
    text = encoded.includes("%")
      ? decodeURIComponent(encoded.replaceAll(/%(?![0-9A-Fa-f]{2})/g, "%25"))
      : encoded;
  } catch {
    throw new RestError(400, { code: "PGRST100", message: "The URL is not UTF-8" });
  }
  if (text.includes("\0")) {
    // PostgreSQL's text cannot contain it.
    throw new RestError(400, { code: "22021", message: "The URL contains a zero byte" });
  }
  return text;
}
