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
import { openApi } from "#tests/support/api.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { ask } from "#tests/support/visitor.ts";

let database: TestDatabase;
let site: RunningSite;
beforeAll(async () => {
  [database, site] = await Promise.all([startTestDatabase(), startSite()]);
});
afterAll(() => Promise.all([database?.close(), site?.stop()]));

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

test.each(["64:ff9b::198.51.100.7", "::198.51.100.7", "2001:db8::192.0.2.1", "[::1.2.3.4]:80"])(
  "%s can sign in, sign up and use a link",
  async (text) => {
    const headers = { "X-Forwarded-For": text };
    const origin = { Origin: site.url, "Content-Type": "application/x-www-form-urlencoded" };
    const email = `${text.replace(/\W/g, "-")}@example.com`;
    const form = new URLSearchParams({ email, password: "a long password" }).toString();
    const signUp = { headers: { ...headers, ...origin }, body: form };
    expect((await ask(site, "POST", "/auth?mode=sign-up", signUp)).status).toBe(302);
    expect((await ask(site, "POST", "/auth", signUp)).status).toBe(302);
    const { send } = await openApi(site);
    const path = "/auth/v1/token?grant_type=password";
    const caller = { address: text };
    const wrong = await send(caller, "POST", path, { email, password: "wrong one" });
    expect(wrong.status).toBe(400);
    const link = { type: "email", token_hash: "a".repeat(56) };
    expect((await send(caller, "POST", "/auth/v1/verify", link)).status).toBe(403);
  },
);
