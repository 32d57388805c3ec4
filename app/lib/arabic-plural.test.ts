import { expect, test } from "vitest";
import { countedMessages, countedMessagesAfter } from "./arabic-plural.ts";

test.each([
  [0, "لا رسائل"],
  [1, "رسالة واحدة"],
  [2, "رسالتان"],
  [3, "٣ رسائل"],
  [10, "١٠ رسائل"],
  [11, "١١ رسالة"],
  [50, "٥٠ رسالة"],
  [99, "٩٩ رسالة"],
  [100, "١٠٠ رسالة"],
  [102, "١٠٢ رسالة"],
  [103, "١٠٣ رسائل"],
  [1111, "١٬١١١ رسالة"],
])("%i", (count, text) => {
  expect(countedMessages(count)).toBe(text);
});

test("after a preposition the dual has the other ending", () => {
  expect([1, 2, 3, 11].map(countedMessagesAfter)).toEqual([
    "رسالة واحدة",
    "رسالتين",
    "٣ رسائل",
    "١١ رسالة",
  ]);
});
