import { createReadStream } from "node:fs";
import { StartError } from "#embedded/engine/start-error.ts";

const newline = 10;

/**
 * Reads the lines of a file.
 * @param maxBytes of a line
 * @throws {StartError} at a longer line, before all of it is in memory
 */
export async function* readLines(file: string, maxBytes: number): AsyncGenerator<string> {
  let rest: Buffer = Buffer.alloc(0);
  let number = 1;
  for await (const chunk of createReadStream(file)) {
    const bytes: Buffer = Buffer.concat([rest, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(newline); end >= 0; end = bytes.indexOf(newline, start)) {
      yield bytes.toString("utf8", start, end);
      start = end + 1;
      number += 1;
    }
    rest = bytes.subarray(start);
    if (rest.length > maxBytes) {
      throw new StartError(`${file}, line ${number}: longer than ${maxBytes} bytes.`);
    }
  }
  if (rest.length > 0) {
    yield rest.toString("utf8");
  }
}
