import * as fc from "fast-check";
import { expect, test } from "vitest";
import { isAway, weekDays } from "#app/lib/working-time.ts";
import { awayText, awayWith, daysText } from "./absences.server.ts";
import { promiseWith } from "./promise.server.ts";

const promised = {
  hours: 8,
  days: ["sun" as const, "mon" as const, "tue" as const, "wed" as const, "thu" as const],
  from: "09:00",
  to: "17:00",
};
const zone = "Asia/Riyadh";
const at = (time: string) => Date.parse(`${time}+03:00`);
const span = (first: string, last = first) => ({
  first: `2026-12-${first}`,
  last: `2026-12-${last}`,
});

// Thursday the 3rd; Friday and Saturday are off; Sunday the 6th.
test.each([
  ["before the last working day ends", "2026-11-30T16:59", undefined],
  ["from its end", "2026-11-30T17:00", "2026-12-03"],
  ["on the first day", "2026-12-01T00:00", "2026-12-03"],
  ["until midnight of the last day", "2026-12-03T23:59", "2026-12-03"],
  ["not on the weekend after it", "2026-12-04T00:00", undefined],
])("the page announces an absence %s", (_when, time, until) => {
  expect(awayWith([span("01", "03")], promised, zone).untilAt(at(time))).toBe(until);
});

test.each([
  ["two that touch", [span("01", "02"), span("03")], "2026-12-01T09:00", "2026-12-03"],
  ["two with a weekend between", [span("03"), span("06", "07")], "2026-12-03T09:00", "2026-12-07"],
  ["two with a working day between", [span("01"), span("03")], "2026-12-01T09:00", "2026-12-01"],
  ["the day before a weekend's absence", [span("06")], "2026-12-03T17:00", "2026-12-06"],
  ["one that ended yesterday", [span("01", "02")], "2026-12-03T00:00", undefined],
  ["one that begins today", [span("02", "02")], "2026-12-02T00:00", "2026-12-02"],
])("of %s it is the last day before work", (_what, absences, time, until) => {
  expect(awayWith(absences, promised, zone).untilAt(at(time))).toBe(until);
});

test.each([
  ["of the last working morning, in time", "2026-11-30T09:00", undefined],
  ["of the same morning, a minute later", "2026-11-30T09:01", "2026-12-06"],
  ["in between", "2026-12-02T12:00", "2026-12-06"],
  ["on the weekend after it, which the absence does not touch", "2026-12-04T12:00", undefined],
])("a message %s names its day only if the absence moves it", (_which, time, day) => {
  expect(awayWith([span("01", "03")], promised, zone).answerDay(at(time))).toBe(day);
});

test("a promise of 80 hours names the day that it reaches", () => {
  const away = awayWith([span("13", "17")], { ...promised, hours: 80 }, zone);
  expect(away.answerDay(at("2026-12-06T09:00"))).toBe("2026-12-24");
  expect(away.answerDay(at("2026-11-29T09:00"))).toBeUndefined();
});

test.each([
  ["2026-11-29T23:59", undefined, undefined],
  ["2026-11-30T16:59", undefined, "2026-12-04"],
  ["2026-11-30T17:00", "2026-12-03", "2026-12-04"],
  ["2026-12-03T12:00", "2026-12-03", "2026-12-04"],
  ["2026-12-04T00:00", undefined, undefined],
])(
  "without a promise, the page announces at %s an absence until %s, and an answer on %s",
  (time, until, day) => {
    const away = awayWith([span("01", "02"), span("03")], undefined, zone);
    expect([away.untilAt(at(time)), away.answerDay(at(time))]).toEqual([until, day]);
  },
);

test("the days are said in words, with their year", () => {
  expect(daysText(span("05"))).toBe("السبت ٥ ديسمبر ٢٠٢٦");
  expect(daysText(span("01", "05"))).toBe("من الثلاثاء ١ ديسمبر ٢٠٢٦ إلى السبت ٥ ديسمبر ٢٠٢٦");
});

test("visitors read the year of an end in another year", () => {
  const absences = [{ first: "2026-12-28", last: "2027-01-03" }];
  expect(awayText(absences, at("2026-12-30T12:00"))).toBe("غائب حتى الأحد ٣ يناير ٢٠٢٧");
  expect(awayText(absences, at("2027-01-02T12:00"))).toBe("غائب حتى الأحد ٣ يناير");
});

test("the line of the board says until when, with a weekday of the next six days", () => {
  const line = {
    late: 1,
    old: 0,
    below: { created_at: "2026-11-01T00:00:00Z", id: "a" },
    above: null,
  };
  const textAt = (last: string) =>
    promiseWith(promised, zone, [span("01", last)]).lineOf(line, at("2026-12-01T10:00"))?.text;
  expect(textAt("05")).toBe("الآن، وأنت غائب حتى السبت، تحته واحد");
  expect(textAt("09")).toBe("الآن، وأنت غائب حتى ٩ ديسمبر، تحته واحد");
});

const dayMs = 86_400_000;
const dateOf = (day: number) => new Date(day * dayMs).toISOString().slice(0, 10);
const start = Date.UTC(2026, 2, 1) / dayMs;
const absenceLists = fc
  .array(fc.tuple(fc.integer({ min: 0, max: 9 }), fc.integer({ min: 0, max: 12 })), {
    maxLength: 8,
  })
  .map((spans) => {
    let day = start;
    return spans.map(([gap, length]) => {
      const first = day + gap;
      day = first + length + 1;
      return { first: dateOf(first), last: dateOf(first + length) };
    });
  });
// Clocks are changed within these weeks in all but the first.
const zones = fc.constantFrom("Asia/Riyadh", "Africa/Cairo", "Europe/Berlin", "America/New_York");
const moments = fc.integer({ min: start * dayMs, max: (start + 120) * dayMs });
const promises = fc.option(
  fc.record({
    hours: fc.constantFrom(1, 8, 16, 80),
    days: fc.subarray([...weekDays], { minLength: 1 }),
    from: fc.constant("09:00"),
    to: fc.constant("17:00"),
  }),
  { nil: undefined },
);

test("for all absences, zones and promises: the page announces each absence, and no answer is due on a day off", () => {
  fc.assert(
    fc.property(absenceLists, promises, zones, moments, (absences, promise, timeZone, moment) => {
      const away = awayWith(absences, promise, timeZone);
      const today = away.today(moment);
      const until = away.untilAt(moment);
      const isOff = isAway(absences, today);
      expect(away.runningAt(moment) !== undefined).toBe(isOff);
      expect(until === undefined ? !isOff : absences.some(({ last }) => last === until)).toBe(true);
      expect((until ?? today) >= today).toBe(true);
      const day = away.answerDay(moment);
      const isMoved = absences.some(({ first, last }) => first <= (day ?? "") && today <= last);
      expect(day === undefined || (isMoved && day > today && !isAway(absences, day))).toBe(true);
      // Without absences the page announces none.
      const never = awayWith([], promise, timeZone);
      expect([never.untilAt(moment), never.answerDay(moment)]).toEqual([undefined, undefined]);
    }),
  );
});
