import { expect, test } from "vitest";
import { waitText } from "./duration.ts";

test.each([
  [1, "دقيقة"],
  [61, "دقيقتين"],
  [180, "3 دقائق"],
  [600, "10 دقائق"],
  [601, "11 دقيقة"],
])("%i seconds are %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
