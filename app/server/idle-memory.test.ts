import { setTimeout as sleep } from "node:timers/promises";
import { getHeapStatistics } from "node:v8";
import { expect, test } from "vitest";
import { collectGarbageWhenIdle } from "./idle-memory.ts";

const megabytes = () => getHeapStatistics().total_heap_size / 1024 ** 2;

/** Grows the heap by what is garbage at once. */
function crowd(): void {
  const visitors = Array.from({ length: 1_500_000 }, (_, index) => ({ index, text: `v${index}` }));
  expect(visitors).toHaveLength(1_500_000);
}

test("gives back what a crowd needed, but only once there is a moment of rest", async () => {
  const before = megabytes();
  crowd();
  const crowded = megabytes();
  expect(crowded).toBeGreaterThan(before + 80);

  collectGarbageWhenIdle(200);
  for (const end = performance.now() + 1_000; performance.now() < end;) {
    for (const turn = performance.now() + 20; performance.now() < turn;) {}
    await sleep(0);
  }
  expect(megabytes()).toBeGreaterThan(before + 80);

  await expect.poll(megabytes, { timeout: 5_000 }).toBeLessThan(before + 20);
});
