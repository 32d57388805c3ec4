import { afterEach, expect, test, vi } from "vitest";
import { showProgress } from "./progress.ts";

const { stderr } = process;
const isTerminal = stderr.isTTY;
afterEach(() => {
  stderr.isTTY = isTerminal;
  vi.useRealTimers();
  vi.restoreAllMocks();
});

function work(seconds: number) {
  using progress = showProgress("rows copied", 1000);
  // Without a row it has nothing to say.
  vi.advanceTimersByTime(200);
  for (let second = 0; second < seconds; second += 1) {
    progress.done += 4;
    vi.advanceTimersByTime(1000);
  }
}

test("a log gets a line a minute, a terminal one line that goes at the end", () => {
  const lines: string[] = [];
  vi.useFakeTimers({ toFake: ["performance", "setInterval", "clearInterval"] });
  vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  vi.spyOn(stderr, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  stderr.isTTY = false;
  work(150);
  expect(lines.splice(0)).toEqual([
    "240 of 1000 rows copied, 24 %, 3 min left",
    "480 of 1000 rows copied, 48 %, 2 min left",
  ]);
  stderr.isTTY = true;
  work(1);
  expect(lines.join("").split("\r\u001B[K")).toEqual([
    "",
    ...Array.from({ length: 5 }, () => expect.stringMatching(/^4 of 1000 rows copied, 0 %, /)),
    "",
  ]);
});
