import { expect, test } from "vitest";
import { backupFault } from "./backups.server.ts";

const now = Date.UTC(2026, 10, 21, 12);
const hoursAgo = (hours: number) => new Date(now - hours * 60 * 60_000);

test("a fault has its cause, and two days without a backup are one", () => {
  expect(backupFault({ at: hoursAgo(40), fault: undefined }, now)).toBeUndefined();
  expect(backupFault({ at: undefined, fault: undefined }, now)).toBeUndefined();
  expect(backupFault({ at: hoursAgo(1), fault: "full" }, now)).toContain("القرص ممتلئ");
  expect(backupFault({ at: hoursAgo(72), fault: undefined }, now)).toContain("قبل ٣ أيام");
});
