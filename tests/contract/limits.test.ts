import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, it } from "vitest";

import { startRealtimeServer } from "../support/realtime/server.ts";
import { startTestServer } from "./server.ts";
import type { TestServer } from "./server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

/** Takes attempts as the site does for a visitor at `address`; gives which were allowed. */
async function attempts(count: number, address: string, account: string, kind = "sign-in") {
  const client = createClient(server.url, server.publishableKey, {
    global: {
      fetch: (input, init) => server.embedded.fetch(new Request(input, init), { address }),
    },
  });
  const allowed: boolean[] = [];
  for (let index = 0; index < count; index += 1) {
    const { data, error } = await client.rpc("take_attempt", { kind, account });
    expect(error).toBeNull();
    allowed.push(data === null);
  }
  return allowed.filter(Boolean).length;
}

it("one address cannot use up an account's attempts, five can", async () => {
  expect(await attempts(25, "192.0.2.1", "owner@example.com")).toBe(20);
  expect(await attempts(1, "192.0.2.2", "Owner@Example.com")).toBe(1);
  for (const last of [3, 4, 5]) {
    expect(await attempts(20, `192.0.2.${last}`, "owner@example.com")).toBe(20);
  }
  expect(await attempts(20, "192.0.2.6", "owner@example.com")).toBe(19);
  expect(await attempts(1, "192.0.2.7", "other@example.com")).toBe(1);
});

it("one address cannot use up an account's mails, three can", async () => {
  for (const last of [1, 2, 3])
    expect(await attempts(6, `203.0.113.${last}`, "owner@example.com", "mail")).toBe(5);
  expect(await attempts(1, "203.0.113.4", "owner@example.com", "mail")).toBe(0);
});

it("an IPv6 customer is one address, an IPv4 one in IPv6 clothes is itself", async () => {
  expect(await attempts(20, "2001:db8:1:2::1", "a@example.com")).toBe(20);
  expect(await attempts(1, "2001:db8:1:2:ffff::9", "b@example.com")).toBe(0);
  expect(await attempts(1, "2001:db8:1:3::1", "c@example.com")).toBe(1);
  expect(await attempts(20, "::ffff:198.51.100.1", "d@example.com")).toBe(20);
  expect(await attempts(1, "::ffff:198.51.100.2", "e@example.com")).toBe(1);
});

it("many at once do not stand in each other's way when old counts are forgotten", async () => {
  const { sql: many, close } = await startRealtimeServer();
  try {
    const attempt = async (from: number, account: number) =>
      many.begin(async (sql) => {
        const headers = { "cf-connecting-ip": `10.0.0.${from}` };
        await sql`select set_config('request.headers', ${JSON.stringify(headers)}, true)`;
        await sql`select public.take_attempt('sign-in', ${`account${account}`})`;
      });
    for (let round = 0; round < 20; round += 1) {
      await many`
        insert into private.attempts
        select 'sign-in', subject || number, 1, now() - interval '1 hour'
        from generate_series(1, 40) number, unnest(array['address 10.0.0.', 'account account']) subject
        on conflict (name, subject) do update set expires_at = excluded.expires_at`;
      const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
      const all = Promise.all(numbers.map((number) => attempt(number, 41 - number)));
      await expect(all).resolves.toHaveLength(40);
    }
  } finally {
    await close();
  }
});
