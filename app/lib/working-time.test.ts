import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isAway, weekDays, type WorkingTime, workingClock } from "./working-time.ts";

const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const dayMs = 24 * hourMs;

const week: WorkingTime = {
  days: ["sun", "mon", "tue", "wed", "thu"],
  from: "09:00",
  to: "17:00",
  absences: [],
  timeZone: "Asia/Riyadh",
};

const later = (time: WorkingTime, start: string, hours: number) =>
  new Date(workingClock(time).later(Date.parse(start), hours * hourMs)).toISOString();

test.each([
  ["within one day", "2026-11-24T09:00+03:00", 8, "2026-11-24T17:00+03:00"],
  ["over a night", "2026-11-24T09:15+03:00", 8, "2026-11-25T09:15+03:00"],
  ["before the day", "2026-11-24T03:00+03:00", 1, "2026-11-24T10:00+03:00"],
  ["after midnight of UTC", "2026-11-24T00:10+03:00", 1, "2026-11-24T10:00+03:00"],
  ["over a weekend", "2026-11-26T16:00+03:00", 2, "2026-11-29T10:00+03:00"],
  ["on a weekend", "2026-11-28T12:00+03:00", 8, "2026-11-29T17:00+03:00"],
  ["over a day off", "2026-12-01T16:30+03:00", 1, "2026-12-03T09:30+03:00"],
])("working time passes %s", (_when, start, hours, end) => {
  const time = { ...week, absences: [{ first: "2026-12-02", last: "2026-12-02" }] };
  expect(later(time, start, hours)).toBe(new Date(end).toISOString());
});

test.each([
  ["skipped, and is an hour later", "2026-03-29", "2026-03-29T03:30+02:00"],
  ["there twice, and is the first one", "2026-10-25", "2026-10-25T02:30+02:00"],
])("where clocks change, an hour may be %s", (_which, day, opens) => {
  const time: WorkingTime = { ...week, days: weekDays, from: "02:30", timeZone: "Europe/Berlin" };
  expect(later(time, `${day}T00:00Z`, 1)).toBe(new Date(Date.parse(opens) + hourMs).toISOString());
});

const zones = [
  "Asia/Riyadh",
  "Africa/Cairo",
  "Europe/Berlin",
  "America/New_York",
  "America/Nuuk",
  "Australia/Lord_Howe",
  "Pacific/Kiritimati",
];

const two = (value: number) => String(value).padStart(2, "0");
const clock = (minute: number) => `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;

/** Absences of 2026 and 2027: some touch, and some begin on a day of the week that is off. */
const someAbsences = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 60 }), fc.integer({ min: 0, max: 40 })), {
    maxLength: 20,
  })
  .map((spans) => {
    let day = Date.UTC(2026, 0, 1);
    return spans.map(([gap, length]) => {
      const first = day + gap * dayMs;
      const last = first + length * dayMs;
      day = last + dayMs;
      return { first: dateOf(first), last: dateOf(last) };
    });
  });
const dateOf = (at: number) => new Date(at).toISOString().slice(0, 10);

const working = (earliest = 0, latest = 24 * 60 - 1) =>
  fc
    .record({
      days: fc.subarray([...weekDays], { minLength: 1 }),
      absences: someAbsences,
      opens: fc.integer({ min: earliest, max: latest - 59 }),
      minutes: fc.integer({ min: 15, max: 24 * 60 }),
      timeZone: fc.constantFrom(...zones),
    })
    .map(({ days, absences, opens, minutes, timeZone }): WorkingTime => ({
      days,
      absences,
      from: clock(opens),
      to: clock(Math.min(opens + minutes, latest)),
      timeZone,
    }));
const instant = fc.integer({ min: Date.UTC(2026, 0, 1), max: Date.UTC(2028, 0, 1) });
const amount = fc.integer({ min: 1, max: 80 * 8 }).map((eighths) => (eighths * hourMs) / 8);

test("for all hours and zones, time passes forwards and backwards alike", () => {
  fc.assert(
    fc.property(working(), instant, amount, instant, (time, start, passed, other) => {
      const { later: forward, earlier: backward } = workingClock(time);
      const end = forward(start, passed);
      expect(end).toBeGreaterThan(start);
      expect(forward(start, passed + minuteMs)).toBeGreaterThan(end);
      // Who comes later is never due earlier.
      expect(forward(Math.max(start, other), passed)).toBeGreaterThanOrEqual(
        forward(Math.min(start, other), passed),
      );
      const last = backward(end, passed);
      expect(last).toBeGreaterThanOrEqual(start);
      expect(forward(last, passed)).toBe(end);
      expect(forward(last + 1, passed)).toBeGreaterThan(end);
      expect(end <= other).toBe(start <= backward(other, passed));
    }),
    { numRuns: 200 },
  );
});

test("what has passed are the minutes in which a clock on the wall shows working hours", () => {
  // By day no clock is changed. Nuuk's and Cairo's show the hour before midnight twice.
  const byDay = working(6 * 60, 23 * 60);
  const start = instant.map((at) => at - (at % minuteMs));
  const some = fc.integer({ min: 1, max: 60 }).map((minutes) => minutes * 7 * minuteMs);
  fc.assert(
    fc.property(byDay, start, some, (time, from, passed) => {
      const { later: forward, isOpen } = workingClock(time);
      const onTheWall = new Intl.DateTimeFormat("en-GB", {
        timeZone: time.timeZone,
        weekday: "short",
        hour: "2-digit",
        minute: "2-digit",
      });
      const dayOnTheWall = new Intl.DateTimeFormat("en-CA", { timeZone: time.timeZone });
      const works = (at: number) => {
        const [day = "", minute = ""] = onTheWall.format(at).split(" ");
        return (
          time.days.some((name) => name === day.toLowerCase()) &&
          time.from <= minute &&
          minute < time.to &&
          !isAway(time.absences, dayOnTheWall.format(at))
        );
      };
      let [at, worked] = [from, 0];
      for (; worked < passed && at < from + 3 * dayMs; at += minuteMs) {
        expect(isOpen(at)).toBe(works(at));
        worked += works(at) ? minuteMs : 0;
      }
      const end = forward(from, passed);
      expect(worked < passed ? end > at - minuteMs : end).toBe(worked < passed ? true : at);
    }),
    { numRuns: 10 },
  );
});
