import { describe, expect, test } from "vitest";
import { type BoardMessage, mergeMessages } from "./inbox.ts";

const message = (second: number, id = `id-${second}`): BoardMessage => ({
  id,
  name: "ن",
  email: "n@example.com",
  message: "نص",
  created_at: `2026-11-21T07:00:${String(second).padStart(2, "0")}.5+00:00`,
  spam_signs: null,
  date: "٢١ نوفمبر",
  phone: null,
  answered_at: null,
  archived_at: null,
  deleted_at: null,
  expired_at: null,
  note: null,
  dir: "rtl",
  greeting: 0,
});
const page = (seconds: number[], hasOlder = false) => ({
  messages: seconds.map((second) => message(second)),
  hasOlder,
});
const idsOf = ({ messages }: { messages: BoardMessage[] }) => messages.map(({ id }) => id);

describe("mergeMessages", () => {
  test("puts what arrived on top, each message once", () => {
    const merged = mergeMessages(page([3, 2, 1]), [message(5), message(4), message(3)]);
    expect(idsOf(merged)).toEqual(["id-5", "id-4", "id-3", "id-2", "id-1"]);
    expect(merged.arrived).toBe(2);
  });

  test("sorts events that came out of order, and by id within one moment", () => {
    const merged = mergeMessages(page([1]), [message(2, "a"), message(3), message(2, "b")]);
    expect(idsOf(merged)).toEqual(["id-3", "b", "a", "id-1"]);
  });

  test("shows no message that lies beyond the page's end, where others are missing", () => {
    const merged = mergeMessages(page([9, 8], true), [message(3)]);
    expect(idsOf(merged)).toEqual(["id-9", "id-8"]);
    expect(merged.hasOlder).toBe(true);
  });

  test("keeps an early one when nothing can be missing", () => {
    expect(idsOf(mergeMessages(page([9]), [message(3)]))).toEqual(["id-9", "id-3"]);
  });

  test("keeps a hundred cards at most; the rest is a link away", () => {
    const live = Array.from({ length: 120 }, (_, index) => message(index % 60, `l-${index}`));
    const merged = mergeMessages(page([]), live);
    expect(merged.messages).toHaveLength(100);
    expect(merged.hasOlder).toBe(true);
  });
});

test("fractions of a second that Postgres shortens still sort in time", () => {
  const moments = ["00+00:00", "00.1+00:00", "00.12+00:00", "00.123456+00:00", "01+00:00"];
  const live = moments.map((moment, index) => ({
    ...message(index),
    created_at: `2026-11-21T07:00:${moment}`,
  }));
  expect(idsOf(mergeMessages(page([]), live.toReversed()))).toEqual(
    live.map(({ id }) => id).toReversed(),
  );
});
