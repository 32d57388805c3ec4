import { afterEach, expect, test, vi } from "vitest";
import { timingCookie, timingHeader, timingSign } from "./form-timing.server.ts";

afterEach(() => void vi.useRealTimers());

const cookie = timingCookie(true, "a secret of the tests");

/** The sign of a form that is sent `ms` after the page was asked for. */
async function signAfter(ms: number): Promise<string | undefined> {
  vi.useFakeTimers();
  const header = await timingHeader(cookie);
  const [sent = ""] = (await header(undefined))?.split(";") ?? [];
  vi.setSystemTime(Date.now() + ms);
  return timingSign(cookie, sent);
}

test.each([
  [0, "haste"],
  [2999, "haste"],
  [3000, undefined],
  [24 * 60 * 60 * 1000, undefined],
  // The clock was set back meanwhile.
  [-2999, "haste"],
  [-3000, undefined],
])("a form that is sent after %s ms has the sign %s", async (ms, sign) => {
  expect(await signAfter(ms)).toBe(sign);
});

test("a form without the cookie, or with a forged one, comes from a page that nobody asked for", async () => {
  expect(await timingSign(cookie, null)).toBe("unseen");
  const other = await timingCookie(true, "another secret").serialize(Date.now() - 60_000);
  expect(await timingSign(cookie, other.split(";")[0] ?? "")).toBe("unseen");
});
