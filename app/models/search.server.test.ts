import { expect, test } from "vitest";
import type { BoardMessage } from "./inbox.ts";
import { withMatches } from "./search.server.ts";

const filler = "كلام آخر ".repeat(40);

/** The excerpt of a message in which the word stands after so many characters. */
const excerptAt = (place: number, more: Partial<BoardMessage> = {}) => {
  const message = `${filler.slice(0, place - 1)} عطر ${filler}`;
  const { found } = withMatches({ message, ...more } as BoardMessage, ["عطر"]);
  return found?.excerpt;
};

test("a match near the start is shown with the start of the message", () => {
  expect(excerptAt(49)?.text).toMatch(/^كلام آخر .{35,45}عطر/);
});

test.each([50, 60, 200])("a match after %i characters is shown with what is around it", (place) => {
  const { text = "", marks = [] } = excerptAt(place) ?? {};
  expect(text).toMatch(/^… .{1,31}عطر/);
  expect(text).toMatch(/ …$/);
  expect(text.slice(marks[0], marks[1])).toBe("عطر");
});

test("a match in the note alone is shown from the note", () => {
  const { found } = withMatches({ message: filler, note: "يحب العطر" } as BoardMessage, ["عطر"]);
  expect(found?.excerpt).toMatchObject({ text: "يحب العطر", isNote: true });
});
