import { expect, test } from "vitest";
import { owner } from "#app/content/owner.ts";
import { availableText } from "./contact.server.ts";

test.runIf(owner.timeZone === "Asia/Riyadh").each([
  ["2026-11-30T20:59:00Z", "متاح لمشاريع جديدة من ١ ديسمبر"],
  // Midnight in Riyadh.
  ["2026-11-30T21:00:00Z", "متاح لمشاريع جديدة"],
  ["2027-06-01T00:00:00Z", "متاح لمشاريع جديدة"],
])("at %s: %s", (now, text) => {
  expect(availableText("2026-12-01", new Date(now))).toBe(text);
});
