import { afterEach, expect, test, vi } from "vitest";
import { startSweeps } from "./daily-sweeps.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const hour = 60 * 60 * 1000;

/** Sweeps for some hours. Returns at which hours messages were swept. */
async function sweptAt(hours: number, messages: () => Record<string, number>): Promise<number[]> {
  vi.useFakeTimers();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const start = Date.now();
  const runs: number[] = [];
  const sweeps = {
    messages: async () => {
      runs.push(Math.round((Date.now() - start) / hour));
      return messages();
    },
    others: async () => ({ others: 0 }),
  };
  const stop = startSweeps(sweeps);
  await vi.advanceTimersByTimeAsync(hours * hour);
  await stop();
  await vi.advanceTimersByTimeAsync(72 * hour);
  return runs;
}

const linesOf = (stream: NodeJS.WriteStream) =>
  vi.mocked(stream.write).mock.calls.map(([line]) => String(line));
const nothing = () => ({ expired: 0, deleted: 0 });

test("what expires within an hour is deleted within a day, until the end", async () => {
  expect(await sweptAt(72, nothing)).toEqual([0, 23, 46, 69]);
});

test("batches follow until one is empty, and the log has their sum", async () => {
  const batches = [{ expired: 1000, deleted: 7 }, { expired: 0, deleted: 1 }, nothing()];
  expect(await sweptAt(1, () => batches.shift() ?? nothing())).toEqual([0, 0, 0]);
  expect(linesOf(process.stdout).join("")).toContain("expired=1000 deleted=8 others=0");
});

test("a sweep that fails is named and tried again within the hour, and then daily", async () => {
  let failures = 2;
  const failing = () => {
    if (failures > 0) {
      failures -= 1;
      throw new Error("broken");
    }
    return nothing();
  };
  expect(await sweptAt(30, failing)).toEqual([0, 1, 2, 25]);
  const lines = linesOf(process.stderr).filter((line) => line.includes("A daily sweep failed"));
  expect(lines).toHaveLength(2);
  expect(lines[0]).toContain("sweep=messages reason=broken");
  expect(linesOf(process.stdout)[0]).toContain("others=0");
});
