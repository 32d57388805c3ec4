import { afterEach, expect, test, vi } from "vitest";
import { startSweeps } from "./sweep.ts";

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

const hour = 60 * 60 * 1000;
const date = (state: string, aheadMs = 0) => ({
  state,
  database_time: new Date(Date.now() + aheadMs).toISOString(),
  trusted_time: "before",
});

/** The time that other sweeps are given, by this machine's. */
let given: number[];

/** Sweeps for some hours. Returns at which hours messages were swept. */
async function sweptAt(
  hours: number,
  call: (name: string) => unknown,
  mayCall?: () => Promise<boolean>,
): Promise<number[]> {
  vi.useFakeTimers();
  vi.spyOn(process.stdout, "write").mockReturnValue(true);
  vi.spyOn(process.stderr, "write").mockReturnValue(true);
  const start = Date.now();
  const runs: number[] = [];
  given = [];
  const stop = startSweeps(
    async (name) => {
      if (name === "sweep_messages") {
        runs.push(Math.round((Date.now() - start) / hour));
      }
      return call(name);
    },
    {
      others: async (now) => {
        given.push(now - Date.now());
        return 0;
      },
    },
    mayCall,
  );
  await vi.advanceTimersByTimeAsync(hours * hour);
  await stop();
  await vi.advanceTimersByTimeAsync(72 * hour);
  return runs;
}

const answer = (name: string) => (name === "check_date" ? date("trusted") : 0);

test("what expires within an hour is deleted within a day, until the end", async () => {
  expect(await sweptAt(72, answer)).toEqual([0, 23, 46, 69]);
});

test("a sweep that fails is tried again within the hour, and then daily", async () => {
  let failures = 2;
  const call = (name: string) => {
    if (name === "sweep_attempts" && failures > 0) {
      failures -= 1;
      throw new Error("broken");
    }
    return answer(name);
  };
  expect(await sweptAt(30, call)).toEqual([0, 1, 2, 25]);
});

test("a date in doubt is looked at again within the hour, and nothing is swept before", async () => {
  let looks = 0;
  const call = (name: string) => {
    looks += name === "check_date" ? 1 : 0;
    return name === "check_date" ? date(looks > 5 ? "trusted" : "asks") : 0;
  };
  expect(await sweptAt(24, call)).toEqual([4]);
  looks = 0;
  const failing = (name: string) => {
    if (name === "check_date" && (looks += 1) <= 5) {
      throw new Error("broken");
    }
    return answer(name);
  };
  expect(await sweptAt(24, failing)).toEqual([4]);
});

test("what is not in the database is swept by the clock that is behind", async () => {
  for (const aheadMs of [40 * 24 * hour, -40 * 24 * hour]) {
    await sweptAt(1, (name) => (name === "check_date" ? date("trusted", aheadMs) : 0));
    expect(given).toEqual([Math.min(0, aheadMs)]);
  }
});

test("while the database refuses the site, nothing is swept and nothing is said", async () => {
  let asked = 0;
  const mayCall = async () => (asked += 1) > 3;
  expect(await sweptAt(2, answer, mayCall)).toEqual([]);
  expect([asked, vi.mocked(process.stderr.write).mock.calls]).toEqual([3, []]);
  asked = 0;
  expect(await sweptAt(24, answer, mayCall)).toEqual([3]);
});

async function away(): Promise<never> {
  throw new Error("away");
}

test("a database that does not answer is named by each sweep", async () => {
  await sweptAt(1, away, away);
  const lines = vi.mocked(process.stderr.write).mock.calls.map(([line]) => String(line));
  expect(lines.filter((line) => line.includes("A daily sweep failed"))).not.toEqual([]);
});
