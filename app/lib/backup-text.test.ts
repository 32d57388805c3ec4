import { expect, test } from "vitest";
import { agoText, backupFault } from "./backup-text.ts";

const now = Date.UTC(2026, 10, 21, 12);
const hoursAgo = (hours: number) => new Date(now - hours * 60 * 60_000);

test.each([
  [0, "قبل دقيقة واحدة"],
  [2 / 60, "قبل دقيقتين"],
  [5 / 60, "قبل ٥ دقائق"],
  [1, "قبل ساعة واحدة"],
  [2.5, "قبل ساعتين"],
  [9, "قبل ٩ ساعات"],
  [11, "قبل ١١ ساعة"],
  [48, "قبل يومين"],
  [80, "قبل ٣ أيام"],
])("%f hours are «%s»", (hours, text) => {
  expect(agoText(hoursAgo(hours), now)).toBe(text);
});

test("a fault has its cause, and two days without a backup are one", () => {
  expect(backupFault({ at: hoursAgo(40), fault: undefined }, now)).toBeUndefined();
  expect(backupFault({ at: undefined, fault: undefined }, now)).toBeUndefined();
  expect(backupFault({ at: hoursAgo(1), fault: "full" }, now)).toContain("القرص ممتلئ");
  expect(backupFault({ at: hoursAgo(72), fault: undefined }, now)).toContain("قبل ٣ أيام");
});
