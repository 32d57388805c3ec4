import { expect, test } from "vitest";
import { lineWords } from "./line-words.server.ts";
import { promiseWith } from "./promise.server.ts";

const promised = {
  hours: 8,
  days: ["sun" as const, "mon" as const, "tue" as const, "wed" as const, "thu" as const],
  from: "09:00",
  to: "17:00",
};
const { dueOf, boundsAt, lineOf } = promiseWith(promised, "Asia/Riyadh", [
  { first: "2026-12-02", last: "2026-12-02" },
]);

const at = (time: string) => Date.parse(`2026-${time}+03:00`);
const from = (time: string) => ({ created_at: `2026-${time}+03:00` });
// A Tuesday.
const now = at("11-24T10:04");

test.each([
  ["11-24T10:02", 8, "غدًا قبل ١٠:٠٢ ص", "11-24T11:02"],
  ["11-24T09:03", 7, "غدًا قبل ٩:٠٣ ص", "11-24T11:03"],
  ["11-24T02:30", 7, "اليوم قبل ٥ م", "11-24T11:00"],
  ["11-23T15:10", 6, "اليوم قبل ٣:١٠ م", "11-24T10:10"],
  ["11-23T12:04", 2, "اليوم قبل ١٢:٠٤ م", "11-24T11:04"],
  ["11-23T10:05", 1, "اليوم قبل ١٠:٠٥ ص", "11-24T10:05"],
  // Of a clock that was set back since.
  ["11-25T17:30", 8, "الخميس قبل ٥ م", "11-26T10:00"],
  ["11-27T12:00", 8, "الأحد قبل ٥ م", "11-29T10:00"],
  ["12-01T12:00", 8, "٣ ديسمبر", "12-01T13:00"],
])("what came at %s has %i points and is due %s", (time, lit, text, next) => {
  expect(dueOf(from(time), now)).toEqual({ lit, text, next: new Date(at(next)).toISOString() });
});

test.each([
  ["11-23T10:04", "11-24T10:04", "متأخرة منذ ١٠:٠٤ ص"],
  ["11-23T09:00", "11-24T10:04", "متأخرة منذ أمس"],
  ["11-19T12:00", "11-24T10:04", "متأخرة منذ الأحد"],
  ["11-12T09:00", "11-18T17:00", "متأخرة منذ الخميس"],
  ["11-12T09:00", "11-19T17:00", "متأخرة منذ ١٢ نوفمبر"],
])("what came at %s is late at %s: %s", (time, then, text) => {
  expect(dueOf(from(time), at(then))).toEqual({ lit: 0, text });
});

test("a debt is old once seven working days have passed since its deadline", () => {
  // Due on the 12th at 9:30; a weekend and seven days follow.
  const arrived = from("11-11T09:30");
  expect(dueOf(arrived, at("11-23T09:29")).isOld).toBeUndefined();
  expect(dueOf(arrived, at("11-23T09:30")).isOld).toBe(true);
});

test("the bounds for the database are where a message becomes late, to the microsecond", () => {
  const isLate = (time: string) => dueOf(from(time), now).lit === 0;
  expect(isLate("11-23T10:04:00.000999")).toBe(true);
  expect(isLate("11-23T10:04:00.001000")).toBe(false);
  expect(boundsAt(now)).toEqual({
    late: new Date(at("11-23T10:04:00.001")).toISOString(),
    old: new Date(at("11-12T10:04:00.001")).toISOString(),
  });
});

const id = "11111111-2222-4333-8444-555555555555";

test("the line says how many are below it, and keeps the places of the messages beside it", () => {
  const below = { ...from("11-23T09:00"), id };
  const above = { ...from("11-24T09:15"), id };
  expect(lineOf({ late: 2, old: 1, below, above }, now)).toEqual({
    isLate: true,
    text: "الآن، تحته اثنان، وواحد من قبل",
    below,
    above,
  });
  expect(lineOf({ late: 0, old: 0, below: null, above }, at("11-24T17:00"))).toEqual({
    isLate: false,
    text: "لا أحد تحت الخط",
    above,
  });
  expect(lineOf({ late: 0, old: 0, below: null, above: null }, now)).toBeUndefined();
});

test.each([
  [1, 0, true, undefined, "الآن، تحته واحد"],
  [3, 0, true, undefined, "الآن، تحته ٣"],
  [11, 2, true, undefined, "الآن، تحته ١١، واثنان من قبل"],
  [2, 228, false, undefined, "الآن، خارج ساعات عملك، تحته اثنان، و٢٢٨ من قبل"],
  [0, 230, true, undefined, "لا أحد تحت الخط، و٢٣٠ من قبل"],
  [0, 0, false, undefined, "لا أحد تحت الخط"],
  [1, 0, false, "السبت", "الآن، وأنت غائب حتى السبت، تحته واحد"],
  [0, 2, false, "السبت", "الآن، وأنت غائب حتى السبت، لا أحد تحته، واثنان من قبل"],
])(
  "with %i late and %i old ones, at work: %s, away until %s, it says %s",
  (...[late, old, isOpen, awayUntil, text]) => {
    expect(lineWords({ late, old, isOpen, awayUntil }).text).toBe(text);
  },
);
