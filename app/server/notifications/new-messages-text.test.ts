import { expect, test } from "vitest";
import { newMessagesText } from "./new-messages-text.ts";

test("counts have the form that Arabic gives them", () => {
  expect([1, 2, 3, 10, 11, 100, 103, 10_000].map(newMessagesText)).toEqual([
    "رسالة جديدة",
    "رسالتان جديدتان",
    "٣ رسائل جديدة",
    "١٠ رسائل جديدة",
    "١١ رسالة جديدة",
    "١٠٠ رسالة جديدة",
    "١٠٣ رسائل جديدة",
    "١٠٬٠٠٠ رسالة جديدة",
  ]);
});
