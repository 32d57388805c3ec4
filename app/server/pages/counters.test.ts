import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { owner } from "#app/content/owner.ts";
import { VisitCounters } from "./counters.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

test.runIf(owner.timeZone === "Asia/Riyadh")(
  "numbers are saved each minute, for the day in the owner's time zone",
  async () => {
    // Half a minute before midnight in Riyadh.
    vi.setSystemTime("2026-11-22T20:59:30Z");
    const calls: unknown[] = [];
    const counters = new VisitCounters({
      callAsSite: async (...call) => void calls.push(call),
    });
    counters.countTap("chat");
    await vi.advanceTimersByTimeAsync(40_000);
    counters.countTap("chat");
    counters.countTap("chat");
    await vi.advanceTimersByTimeAsync(60_000);
    await vi.advanceTimersByTimeAsync(60_000);
    counters.countTap("chat");
    await counters.close();
    await vi.advanceTimersByTimeAsync(120_000);
    expect(calls).toEqual([
      ["add_counts", { day: "2026-11-22", numbers: { chat: 1 } }],
      ["add_counts", { day: "2026-11-23", numbers: { chat: 2 } }],
      ["add_counts", { day: "2026-11-23", numbers: { chat: 1 } }],
    ]);
  },
);
