import { expect, test } from "vitest";
import type { PromiseLine } from "#app/models/inbox.ts";
import { placeOfLine } from "./line-place.ts";

/** A message of this minute; the answered ones are among the others. */
const at = (minute: number, id = `${minute}`) => ({
  created_at: `2026-11-24T10:${minute}:00.5+00:00`,
  id,
});
const page = (...minutes: number[]) => minutes.map((minute) => at(minute));
const words = { text: "" };
const late: PromiseLine = { ...words, isLate: true, above: at(50), below: at(40) };
const nobodyLate: PromiseLine = { ...words, isLate: false, above: at(40) };
const onlyOld: PromiseLine = { ...words, isLate: false, above: at(50), below: at(40) };
const allLate: PromiseLine = { ...words, isLate: true, below: at(40) };

test.each<[what: string, line: PromiseLine, minutes: number[], index: number]>([
  ["before the first late one", late, [55, 50, 40, 30], 2],
  ["below answered ones that came in between", late, [50, 48, 45, 40], 3],
  ["below live ones", late, [59, 58, 57, 50, 40], 4],
  ["first, if the page begins with the first late one", late, [40, 30], 0],
  ["first, if all are late", allLate, [40, 30], 0],
  ["below an answered one, if all that wait are late", allLate, [45, 40, 30], 1],
  ["after the last one that waits, if nobody is late", nobodyLate, [55, 40, 30], 2],
  ["last, if the page ends with the last one that waits", nobodyLate, [55, 40], 2],
  ["before the old debts", onlyOld, [55, 50, 40, 30], 2],
])("it stands %s", (_what, line, minutes, index) => {
  const target = line.isLate ? line.below : line.above;
  expect(placeOfLine(line, page(...minutes))).toEqual({ index, target, isHere: true });
});

test.each<[what: string, line: PromiseLine, minutes: number[], index: number]>([
  ["last, if its page is an older one", late, [59, 55, 50], 3],
  ["first, if its page is a newer one", late, [35, 30], 0],
  ["last, if the last one that waits is on an older page", nobodyLate, [59, 55], 2],
  ["first, if the last one that waits is on a newer page", nobodyLate, [35, 30], 0],
  ["first, if the page begins with the old debts", onlyOld, [40, 30], 0],
])("on a page without its message it stands %s", (_what, line, minutes, index) => {
  expect(placeOfLine(line, page(...minutes))).toMatchObject({ index, isHere: false });
});

test("of two messages of one instant, it stands between them", () => {
  const line = { ...late, above: at(40, "b"), below: at(40, "a") };
  expect(placeOfLine(line, [at(40, "b"), at(40, "a")])).toMatchObject({ index: 1 });
});

test("while nobody waits it has no place", () => {
  expect(placeOfLine({ ...words, isLate: false }, page(40))).toBeUndefined();
});
