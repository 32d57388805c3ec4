import { expect, test } from "vitest";
import { longDate } from "./date.server.ts";

test("dates are Gregorian, in Arabic digits and the owner's zone, wherever they are made", () => {
  const shown = longDate("2026-11-20T22:05:00.123456+00:00");
  expect(shown.replaceAll(/[\u200E\u200F]/g, "")).toBe("٢١ نوفمبر ٢٠٢٦ في ٠١:٠٥ ص");
});
