import { afterAll, expect, test } from "vitest";
import { freePort, startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";
import { worstForms, worstHeads } from "./worst-inputs/pages.ts";
import { worstSearches } from "./worst-inputs/searches.ts";
import type { WorstInput } from "./worst-inputs/texts.ts";

/** 128 kB of fields without a value take 50. */
const allowedMs = 100;
const tries = 5;

const port = await freePort();
const preload = new URL("./loop-delay.ts", import.meta.url).href;
const site = await startSite({
  NODE_OPTIONS: `--import=${preload}`,
  LOOP_DELAY_PORT: String(port),
});
afterAll(() => site.stop());
const probe = `http://127.0.0.1:${port}`;
const target = { site, account: await signedUp(site) };

/** The longest block of the site's event loop since the last call, in milliseconds. */
async function blockedMs(work = 0): Promise<number> {
  return Number(await (await fetch(`${probe}/?work=${work}`)).text());
}

/** How long a block of so many milliseconds on two idle cores takes on this machine now. */
async function reference(milliseconds: number): Promise<number> {
  const taken: number[] = [];
  for (let number = 0; number < 3; number += 1) {
    taken.push(await blockedMs(milliseconds));
  }
  return taken.toSorted((a, b) => a - b)[1] ?? 0;
}

/** The minimum of some tries: other load slows some of them, a blocking input all of them. */
async function costOf({ send }: WorstInput, limit: number): Promise<number> {
  let least = Number.POSITIVE_INFINITY;
  for (let number = 0; number < tries && least > limit; number += 1) {
    await blockedMs();
    // Some of these end the connection.
    await send().catch(() => undefined);
    least = Math.min(least, await blockedMs());
  }
  return least;
}

const inputs = {
  forms: worstForms,
  "addresses, headers and cookies": worstHeads,
  searches: worstSearches,
};

test.each(Object.entries(inputs))("no input of %s blocks other requests", async (_name, worst) => {
  const limit = Math.max(allowedMs, await reference(allowedMs));
  const slow: string[] = [];
  for (const input of worst(target)) {
    const cost = await costOf(input, limit);
    if (cost > limit) {
      slow.push(`${input.name}: ${cost.toFixed(0)} ms of ${limit.toFixed(0)} allowed`);
    }
  }
  expect(slow).toEqual([]);
});

test("an input that blocked three times as long would be detected", async () => {
  const limit = Math.max(allowedMs, await reference(allowedMs));
  expect(await blockedMs(3 * allowedMs)).toBeGreaterThan(limit);
  expect(await blockedMs(allowedMs / 10)).toBeLessThan(limit);
});
