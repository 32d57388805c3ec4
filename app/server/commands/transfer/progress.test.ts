import { afterEach, expect, test, vi } from "vitest";
import { eachMinute } from "./progress.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("long work says each minute how far it is, until it is done", () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const print = vi.spyOn(console, "log").mockReturnValue();
  let seconds = 0;
  {
    using _ = eachMinute(() => `${seconds} rows`);
    for (; seconds < 150; seconds += 1) {
      vi.advanceTimersByTime(1000);
    }
  }
  vi.advanceTimersByTime(60_000);
  expect(print.mock.calls).toEqual([["59 rows"], ["119 rows"]]);
});
