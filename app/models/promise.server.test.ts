import { expect, test } from "vitest";
import { promiseWith } from "./promise.server.ts";

const promised = {
  hours: 8,
  days: ["sun" as const, "mon" as const, "tue" as const, "wed" as const, "thu" as const],
  from: "09:00",
  to: "17:00",
  daysOff: ["2026-12-02"],
};
const { dueOf, boundsAt, todayOf } = promiseWith(promised, "Asia/Riyadh");

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

test("the bounds for the database are where a message becomes late, to the microsecond", () => {
  const isLate = (time: string) => dueOf(from(time), now).lit === 0;
  expect(isLate("11-23T10:04:00.000999")).toBe(true);
  expect(isLate("11-23T10:04:00.001000")).toBe(false);
  expect(boundsAt(now)).toEqual({
    late: new Date(at("11-23T10:04:00.001")).toISOString(),
    today: new Date(at("11-24T09:00:00.001")).toISOString(),
  });
});

test("in the evening nothing more becomes due", () => {
  const { late, today } = boundsAt(at("12-01T23:00"));
  expect([late, today]).toEqual([late, late]);
  expect(Date.parse(late)).toBe(at("12-01T09:00:00.001"));
});

const message = (time: string) => ({
  id: time,
  name: "نورة",
  email: "noura@example.com",
  message: "نص",
  phone: null,
  spam_signs: null,
  answered_at: null,
  archived_at: null,
  deleted_at: null,
  expired_at: null,
  note: null,
  date: "",
  dir: "rtl" as const,
  greeting: 0,
  ...from(time),
  due: dueOf(from(time), now),
});

const whenOf = (rows: { when: string }[]) => rows.map(({ when }) => when);

test("of today it tells when each is due, and the most urgent one first", () => {
  const waiting = {
    late: 2,
    dueToday: 1,
    lateRows: [message("11-22T10:17"), message("11-12T10:00")],
    nextRows: [message("11-23T15:10"), message("11-24T09:15"), message("12-01T09:00")],
  };
  const today = todayOf(waiting, now);
  expect(today).toMatchObject({
    late: 2,
    dueToday: 1,
    now: "١٠:٠٤ ص",
    isOpen: true,
    perPoint: "hour",
    urgent: { lit: 0, text: "متأخرة منذ أمس" },
  });
  expect(whenOf(today.lateRows)).toEqual(["أمس ١٠:١٧ ص", "١٥ نوفمبر"]);
  expect(whenOf(today.nextRows)).toEqual(["قبل ٣:١٠ م", "غدًا قبل ٩:١٥ ص", "١ ديسمبر"]);
});

test("outside working hours and with nobody waiting it says so", () => {
  const nobody = { late: 0, dueToday: 0, lateRows: [], nextRows: [] };
  const today = todayOf(nobody, at("11-24T17:00"));
  expect(today).toMatchObject({ now: "٥ م", isOpen: false });
  expect(today).not.toHaveProperty("urgent");
  expect(todayOf(nobody, at("12-02T12:00")).isOpen).toBe(false);
  const longer = promiseWith({ ...promised, hours: 24 }, "Asia/Riyadh");
  expect(longer.todayOf(nobody, now).perPoint).toBe("eighth");
});
