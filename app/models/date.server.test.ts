import { expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { agoText, longDate } from "./date.server.ts";

test.runIf(owner.timeZone === "Asia/Riyadh")(
  "dates are Gregorian, in Arabic digits and the owner's zone, wherever they are made",
  () => {
    const shown = longDate("2026-11-20T22:05:00.123456+00:00");
    expect(shown.replaceAll(/[\u200E\u200F]/g, "")).toBe("٢١ نوفمبر ٢٠٢٦ في ١:٠٥ ص");
  },
);

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
