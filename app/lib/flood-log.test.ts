import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createFloodLog } from "./flood-log.server.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("a flood is logged at once, and then once a minute with its count", () => {
  const lines: string[] = [];
  const log = createFloodLog((level, event, { limit, count }) =>
    lines.push(`${level} ${event}: ${limit} ${count}`),
  );
  const reached = (limit: string) => log("warn", "A limit was reached", { limit });
  for (let second = 0; second < 90; second += 1) {
    for (let time = 0; time < 100; time += 1) {
      reached("sockets");
    }
    vi.advanceTimersByTime(1000);
  }
  reached("rows");
  expect(lines).toEqual([
    "warn A limit was reached: sockets 1",
    "warn A limit was reached: sockets 5999",
    "warn A limit was reached: rows 1",
  ]);
  // After a quiet minute, the next event is logged at once.
  vi.advanceTimersByTime(10 * 60_000);
  expect(lines.slice(3)).toEqual(["warn A limit was reached: sockets 3000"]);
  reached("sockets");
  expect(lines.slice(4)).toEqual(["warn A limit was reached: sockets 1"]);
  vi.advanceTimersByTime(10 * 60_000);
  expect(lines).toHaveLength(5);
});
