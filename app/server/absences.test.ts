import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnersAbsences } from "./absences.ts";

beforeEach(() => void vi.useFakeTimers({ now: Date.parse("2026-11-28T20:59:30Z") }));
afterEach(() => void vi.useRealTimers());

test("a page that could not be made at the owner's midnight is made a minute later", async () => {
  const absences = new OwnersAbsences({ callAsSite: async () => [] });
  const onChange = vi.fn<() => Promise<void>>().mockRejectedValueOnce(new Error("a fault"));
  absences.watch(onChange);
  await vi.advanceTimersByTimeAsync(0);
  expect(onChange).not.toHaveBeenCalled();
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onChange).toHaveBeenCalledTimes(1);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onChange).toHaveBeenCalledTimes(2);
  await vi.advanceTimersByTimeAsync(60_000);
  expect(onChange).toHaveBeenCalledTimes(2);
  absences.close();
});
