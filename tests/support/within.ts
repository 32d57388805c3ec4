import { expect } from "vitest";

/** Resolves to the work's result. Fails if it takes longer than `seconds`. */
export async function within<Result>(seconds: number, work: Promise<Result>): Promise<Result> {
  const since = performance.now();
  const result = await work;
  expect(performance.now() - since).toBeLessThan(seconds * 1000);
  return result;
}
