import { expect, test, vi } from "vitest";
import { runDaily } from "./daily.ts";

test("what expires within an hour is deleted within a day, until the end", async () => {
  vi.useFakeTimers();
  const runs: number[] = [];
  const stop = runDaily(
    async () => void runs.push(Date.now()),
    () => undefined,
  );
  await vi.advanceTimersByTimeAsync(72 * 60 * 60 * 1000);
  await stop();
  await vi.advanceTimersByTimeAsync(72 * 60 * 60 * 1000);
  vi.useRealTimers();
  const pauses = runs.slice(1).map((time, index) => (time - (runs[index] ?? 0)) / 3_600_000);
  expect(pauses).toEqual([23, 23, 23]);
});
