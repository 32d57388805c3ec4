import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { OwnersAbsences } from "./absences.ts";

beforeEach(() => vi.useFakeTimers({ now: Date.parse("2026-11-30T12:00:00+03:00") }));
afterEach(() => vi.useRealTimers());

const minute = () => vi.advanceTimersByTimeAsync(60_000);
const row = { first_day: "2026-12-01", last_day: "2026-12-01" };

test("what another process changed is known within a minute, and told once", async () => {
  let rows: object[] = [];
  const told = vi.fn<() => Promise<void>>(async () => undefined);
  const absences = new OwnersAbsences({ callAsSite: async () => rows });
  absences.watch(told);
  await minute();
  const before = told.mock.calls.length;
  rows = [row];
  await minute();
  await minute();
  expect(absences.list).toEqual([{ first: "2026-12-01", last: "2026-12-01" }]);
  expect(told).toHaveBeenCalledTimes(before + 1);
  absences.close();
});

test("without an answer of the database there are none at first, and later what was known last", async () => {
  let isAway = true;
  const callAsSite = async () => {
    if (isAway) {
      throw new Error("away");
    }
    return [row];
  };
  const absences = new OwnersAbsences({ callAsSite });
  absences.watch(async () => undefined);
  await minute();
  expect(absences.list).toEqual([]);
  isAway = false;
  await minute();
  isAway = true;
  await minute();
  expect(absences.list).toHaveLength(1);
  absences.close();
});

test("the begin and the end are told by the time alone", async () => {
  const told = vi.fn<() => Promise<void>>(async () => undefined);
  const absences = new OwnersAbsences({ callAsSite: async () => [row] });
  absences.watch(told);
  await minute();
  const times: string[] = [];
  told.mockImplementation(async () => void times.push(new Date().toISOString()));
  for (let passed = 0; passed < 48 * 60; passed += 1) {
    await minute();
  }
  // Five o'clock of the last working day, midnight before and after, in Riyadh.
  expect(times.map((time) => time.slice(0, 16))).toEqual([
    "2026-11-30T14:00",
    "2026-11-30T21:00",
    "2026-12-01T21:00",
  ]);
  absences.close();
});
