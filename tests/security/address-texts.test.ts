import {
  array,
  assert,
  constantFrom,
  integer,
  ipV4,
  ipV6,
  oneof,
  property,
  string,
  tuple,
} from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { addressKey, readAddress } from "#supabase/shared/address.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const hex = integer({ min: 0, max: 0xffff }).map((part) => part.toString(16));
const dotted = ipV4();
const prefix = array(hex, { maxLength: 6 });
const ipv6WithDots = tuple(prefix, prefix, dotted).map(
  ([before, after, ip]) => `${before.join(":")}::${[...after, ip].join(":")}`,
);
const address = oneof(
  dotted,
  ipV6(),
  ipv6WithDots,
  tuple(array(hex, { minLength: 6, maxLength: 6 }), dotted).map((parts) => parts.flat().join(":")),
  string({ unit: constantFrom(..."0123456789abcdefF:.%[]/x ") }),
  string(),
);
const addressText = oneof(
  address,
  address.map((text) => `[${text}]:443`),
  address.map((text) => `${text}:443`),
  address.map((text) => `${text}%eth0`),
);

test("every text yields a key, and PostgreSQL accepts each key and each address", async () => {
  const texts = new Set<string>();
  assert(
    property(addressText, (text) => {
      const [key, ip] = [addressKey(text), readAddress(text)];
      expect(key === "unknown").toBe(ip === undefined);
      if (ip !== undefined) {
        texts.add(key).add(ip);
      }
    }),
    { numRuns: 5_000 },
  );
  expect(texts.size).toBeGreaterThan(1_000);
  const refused = await database.sql`
    select text from unnest(${[...texts]}::text[]) as text
    where not pg_input_is_valid(text, 'inet')`;
  expect(refused).toEqual([]);
});
