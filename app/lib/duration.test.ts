import { expect, test } from "vitest";
import { waitText } from "./duration.ts";

test.each([
  [1, "دقيقة"],
  [61, "دقيقتين"],
  [180, "٣ دقائق"],
  [600, "١٠ دقائق"],
  [601, "١١ دقيقة"],
  [7_200, "١٢٠ دقيقة"],
  [7_201, "٣ ساعات"],
  [86_400, "٢٤ ساعة"],
])("%i seconds are %s", (seconds, text) => {
  expect(waitText(seconds)).toBe(text);
});
