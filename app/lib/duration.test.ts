import { expect, test } from "vitest";
import { waitText } from "./duration.ts";

test.each([
  [1, "دقيقة"],
  [61, "دقيقتين"],
  [180, "3 دقائق"],
  [600, "10 دقائق"],
  [601, "11 دقيقة"],
  [7_200, "120 دقيقة"],
  [7_201, "3 ساعات"],
  [86_400, "24 ساعة"],
])("%i seconds are %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
