import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { showProgress } from "./progress.ts";

const { stderr } = process;
const isTerminal = stderr.isTTY;
const lines: string[] = [];
beforeEach(() => {
  lines.length = 0;
  vi.useFakeTimers({ toFake: ["performance"] });
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  vi.spyOn(stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
});
afterEach(() => {
  stderr.isTTY = isTerminal;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test("a log gets a line a minute, with the rows, their share and the time left", () => {
  stderr.isTTY = false;
  const progress = showProgress();
  progress.begin("rows copied", 1000);
  for (let second = 0; second < 150; second += 1) {
    vi.advanceTimersByTime(1000);
    progress.add(4);
  }
  progress.end();
  expect(lines).toEqual([
    "240 of 1000 rows copied, 24 %, 3 min left",
    "480 of 1000 rows copied, 48 %, 2 min left",
  ]);
});

test("a terminal shows one line, which is removed at the end", () => {
  stderr.isTTY = true;
  const progress = showProgress();
  progress.begin("rows stored", 200);
  vi.advanceTimersByTime(1000);
  progress.add(100);
  expect(lines.join("")).toContain("100 of 200 rows stored, 50 %, 1 s left");
  progress.end();
  expect(lines.at(-1)).toMatch(/K$/);
});
