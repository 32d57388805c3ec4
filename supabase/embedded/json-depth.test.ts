import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isDeeperThan } from "./json-depth.ts";

function depthOf(value: unknown): number {
  if (typeof value !== "object" || value === null) {
    return 0;
  }
  return 1 + Math.max(0, ...Object.values(value).map(depthOf));
}

test("counts the levels of any JSON text", () => {
  fc.assert(
    fc.property(fc.array(fc.jsonValue({ maxDepth: 6 })), fc.boolean(), (value, isIndented) => {
      const json = JSON.stringify(value, undefined, isIndented ? 2 : 0);
      const depth = depthOf(JSON.parse(json));
      expect(isDeeperThan(json, depth)).toBe(false);
      expect(isDeeperThan(json, depth - 1)).toBe(true);
    }),
  );
});

test.each([
  [String.raw`"[[[\"[[["`, false],
  [String.raw`["\\",[[]]]`, true],
  ["[".repeat(60_000), true],
  ["", false],
])("finds more than two levels in %j: %j", (json, expected) => {
  expect(isDeeperThan(json, 2)).toBe(expected);
});
