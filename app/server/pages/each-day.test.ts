import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { onEachDay } from "./each-day.ts";

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

const dayIn = (timeZone: string) => {
  const format = new Intl.DateTimeFormat("en-CA", { timeZone });
  return (moment: Date) => format.format(moment);
};

/** The moments of the work of three days after a start. */
async function momentsOfWork(timeZone: string, start: string): Promise<string[]> {
  vi.setSystemTime(start);
  const moments: string[] = [];
  const stop = onEachDay(dayIn(timeZone), async () => {
    moments.push(new Date().toISOString());
  });
  await vi.advanceTimersByTimeAsync(3 * 24 * 60 * 60 * 1000);
  stop();
  await vi.advanceTimersByTimeAsync(2 * 24 * 60 * 60 * 1000);
  return moments;
}

test.each([
  ["Asia/Riyadh", "2026-11-30T20:30:30Z", ["11-30T21:00:30", "12-01T21:00:30", "12-02T21:00:30"]],
  // Summer time begins at midnight of the 24th, so the day begins at 01:00 of UTC+3.
  ["Africa/Cairo", "2026-04-22T22:30:00Z", ["04-23T22:00:00", "04-24T21:00:00", "04-25T21:00:00"]],
  // It ends at midnight of the 30th: one more hour of the 29th.
  ["Africa/Cairo", "2026-10-28T22:30:00Z", ["10-29T22:00:00", "10-30T22:00:00", "10-31T22:00:00"]],
])("in %s the work after %s is done at each midnight there", async (timeZone, start, expected) => {
  expect(await momentsOfWork(timeZone, start)).toEqual(
    expected.map((moment) => `2026-${moment}.000Z`),
  );
});

test("work that failed is done a minute later", async () => {
  vi.setSystemTime("2026-11-30T20:59:30Z");
  const error = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const work = vi
    .fn<() => Promise<void>>(async () => {})
    .mockRejectedValueOnce(new Error("a fault made for a test"));
  const stop = onEachDay(dayIn("Asia/Riyadh"), work);
  await vi.advanceTimersByTimeAsync(10 * 60 * 1000);
  stop();
  expect(work).toHaveBeenCalledTimes(2);
  expect(error.mock.calls.join()).toContain("The prerendered pages were not renewed");
  error.mockRestore();
});
