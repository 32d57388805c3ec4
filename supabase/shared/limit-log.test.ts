import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createLimitLog } from "./limit-log.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a flood is logged at once, and then once a minute with its count", () => {
  const lines: string[] = [];
  const reached = createLimitLog((event, { limit, count }) =>
    lines.push(`${event}: ${limit} ${count}`),
  );
  for (let second = 0; second < 90; second += 1) {
    for (let time = 0; time < 100; time += 1) {
      reached("sockets");
    }
    vi.advanceTimersByTime(1000);
  }
  reached("rows");
  expect(lines).toEqual([
    "A limit was reached: sockets 1",
    "A limit was reached: sockets 5999",
    "A limit was reached: rows 1",
  ]);
  // After a quiet minute, the next event is logged at once.
  vi.advanceTimersByTime(10 * 60_000);
  expect(lines.slice(3)).toEqual(["A limit was reached: sockets 3000"]);
  reached("sockets");
  expect(lines.slice(4)).toEqual(["A limit was reached: sockets 1"]);
  vi.advanceTimersByTime(10 * 60_000);
  expect(lines).toHaveLength(5);
});
