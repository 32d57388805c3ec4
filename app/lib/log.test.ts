import { afterEach, expect, test, vi } from "vitest";
import { log, logFailed, logFault } from "./log.server.ts";

afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

function written(stream: NodeJS.WriteStream) {
  const lines: string[] = [];
  vi.spyOn(stream, "write").mockImplementation((text) => lines.push(String(text)) > 0);
  return lines;
}

test("an event is one line of text: time, level, event, details", () => {
  const lines = written(process.stdout);
  log.info("An account signed in", { account: "a-1", method: "password", session: undefined });
  log.info("Odd", { path: "/a b", error: "x\n  y\u001b[31m\u2028", count: 3 });
  expect(lines.map((line) => line.replace(/^\S+/, "TIME"))).toEqual([
    "TIME info  An account signed in account=a-1 method=password\n",
    'TIME info  Odd path="/a b" error="x | y\u{FFFD}[31m\u{FFFD}" count=3\n',
  ]);
  expect(new Date(lines[0]?.split(" ")[0] ?? "").getTime()).toBeGreaterThan(Date.now() - 60_000);
});

test("an outage is one line a minute with a count, whatever failed by it, and other faults are lines of their own", () => {
  vi.useFakeTimers();
  const lines = written(process.stderr);
  const full = Object.assign(new Error("The function f failed: 503"), { code: "53100" });
  for (let form = 0; form < 10; form += 1) {
    logFailed("The message was not stored", { code: "53100" });
    logFault("The inbox was not read", full);
    logFailed("The message was not stored", { code: "57P03" });
    logFailed("An attempt was not counted", { kind: "sign-in", code: "08006" });
    logFailed("The inbox was not read", { code: undefined });
  }
  logFailed("The inbox was not read", { code: "57014" });
  vi.advanceTimersByTime(60_000);
  expect(lines.map((line) => line.replace(/^\S+ error /, ""))).toEqual([
    "The disk is full: calls to the database fail count=1\n",
    "The database does not answer: calls to it fail count=1\n",
    "The inbox was not read code=57014\n",
    "The disk is full: calls to the database fail count=19\n",
    "The database does not answer: calls to it fail count=29\n",
  ]);
});

test("an event is one JSON object, if asked", () => {
  vi.stubEnv("LOG_FORMAT", "json");
  const lines = written(process.stderr);
  log.warn("A limit was reached", { limit: "token" });
  logFault("A page failed", new Error("first\nsecond"));
  const [limit, fault] = lines.map((line) => JSON.parse(line));
  expect(lines.map((line) => line.indexOf("\n"))).toEqual(lines.map((line) => line.length - 1));
  expect(limit).toEqual({
    time: expect.stringMatching(/^\d{4}-.*Z$/),
    level: "warn",
    event: "A limit was reached",
    limit: "token",
  });
  expect(fault).toMatchObject({ level: "error", stack: expect.stringMatching(/^Error: first\n/) });
});
