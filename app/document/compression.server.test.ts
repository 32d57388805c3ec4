import { expect, test } from "vitest";
import { preferredEncoding } from "./compression.server.ts";

test.each([
  ["gzip, deflate, br, zstd", "br"],
  ["br;q=0.5, gzip", "br"],
  ["BR", "br"],
  ["gzip;q=1.0, br;q=0", "gzip"],
  ["br ; q=0.000 , gzip", "gzip"],
  ["gzip;q=0, br;q=0.0", "identity"],
  ["deflate, zstd, brx", "identity"],
  ["", "identity"],
  [undefined, "identity"],
])("takes from %s: %s", (header, coding) => {
  expect(preferredEncoding(header)).toBe(coding);
});
