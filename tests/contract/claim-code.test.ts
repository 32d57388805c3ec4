import { afterAll, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

test("a claim code has 80 bits, each of them random", async () => {
  const codes: string[] = [];
  for (let number = 0; number < 200; number += 1) {
    const [row] = await database.sql`select public.new_claim_code() as code`;
    codes.push(row?.["code"]);
  }
  expect(codes).toEqual(codes.map(() => expect.stringMatching(/^(?:[0-9a-f]{5}-){3}[0-9a-f]{5}$/)));
  const values = codes.map((code) => BigInt(`0x${code.replaceAll("-", "")}`));
  for (let bit = 0n; bit < 80n; bit += 1n) {
    const ones = values.filter((value) => (value >> bit) & 1n).length;
    // With fair coins this fails once in 10^9 runs.
    expect([bit, ones]).toEqual([bit, expect.toSatisfy((n) => n > 50 && n < 150)]);
  }
});

test("a million addresses need more than 10^11 years for an even chance to guess it", async () => {
  const [limit] = await database.sql`
    select points, extract(epoch from period)::int as seconds from private.limits
    where name = 'claim'`;
  const triesPerSecond = (1_000_000 * limit?.["points"]) / limit?.["seconds"];
  const years = 2 ** 79 / triesPerSecond / (365 * 24 * 3600);
  expect(years).toBeGreaterThan(1e11);
});
