import { afterAll, beforeEach, describe, expect, test } from "vitest";
import { startTestDatabase } from "#tests/support/database.ts";

const { superuser: sql, sql: visitors, close } = await startTestDatabase();
afterAll(close);
beforeEach(async () => {
  await sql`truncate private.attempts`;
});

const account = "a@example.com";

/** The seconds that an attempt has to wait; null if it is allowed. */
async function attempt(address = "192.0.2.1", of = account, kind = "sign-in") {
  const [row] = await sql<{ wait: number | null }>`
    select public.take_attempt(${kind}, ${of}, ${address}::text::inet) as wait`;
  return row?.wait;
}

/** How many of some attempts are allowed. */
async function allowed(count: number, of: () => Promise<unknown>): Promise<number> {
  let sum = 0;
  for (let index = 0; index < count; index += 1) {
    sum += Number((await of()) === null);
  }
  return sum;
}

/** Moves all counts into the past, as if time had passed. */
const pass = (time: string) => sql`
  update private.attempts set expires_at = expires_at - ${time}::interval,
    next_at = next_at - ${time}::interval`;

let accounts = 0;
/** An attempt at an account that nobody tried before. */
const anyAccount = (address: string, kind?: string) => {
  accounts += 1;
  return attempt(address, `${accounts}@example.com`, kind);
};

test.each([
  ["sign-in", 20, "10 minutes"],
  ["sign-up", 10, "1 hour"],
  ["mail", 5, "1 hour"],
  ["code", 20, "10 minutes"],
  ["mailed-code", 9, "10 minutes"],
])("one address has of %s %i, and more after %s but no earlier", async (kind, most, period) => {
  const one = () => anyAccount("192.0.2.1", kind);
  expect(await allowed(most + 2, one)).toBe(most);
  expect(await anyAccount("192.0.2.2", kind)).toBeNull();
  await pass(`${period}`);
  await pass("-2 seconds");
  expect(await one()).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 2);
  await pass("3 seconds");
  expect(await one()).toBeNull();
});

describe("addresses", () => {
  test.each([
    ["an IPv6 customer", "2001:db8:1:200::1", "2001:db8:1:2ff:ffff::9", "2001:db8:1:300::1"],
    ["IPv4 in IPv6", "::ffff:198.51.100.1", "198.51.100.1", "::ffff:198.51.100.2"],
    ["IPv4", "198.51.100.1", "198.51.100.1", "198.51.100.2"],
  ])("%s", async (_, first, same, other) => {
    expect(await allowed(20, () => anyAccount(first))).toBe(20);
    expect(await anyAccount(same)).not.toBeNull();
    expect(await anyAccount(other)).toBeNull();
  });
});

describe("beyond ten attempts at an account", () => {
  beforeEach(async () => {
    for (let last = 1; last <= 10; last += 1) {
      await attempt(`192.0.2.${last}`);
    }
  });

  test("each address waits before each attempt, up to a minute, and nobody longer", async () => {
    const waits: unknown[] = [];
    for (let last = 11; last <= 18; last += 1) {
      waits.push(await attempt(`192.0.2.${last}`));
    }
    expect(waits).toEqual([2, 4, 8, 16, 32, 60, 60, 60]);
    expect(await attempt("192.0.2.1")).toBe(60);
    await pass("59 seconds");
    expect(await attempt("192.0.2.1")).toBe(1);
    await pass("1 second");
    // A program that is always the first at the end of a wait does not keep others out.
    expect(await attempt("192.0.2.18")).toBeNull();
    expect(await attempt("192.0.2.18")).toBe(60);
    expect(await attempt("192.0.2.1")).toBeNull();
    expect(await attempt("192.0.2.1")).toBe(60);
  });

  test("other accounts do not wait, nor this one once an attempt was right", async () => {
    expect(await anyAccount("192.0.2.30")).toBeNull();
    expect(await attempt("192.0.2.31", account, "code")).toBeNull();
    expect(await attempt("192.0.2.32", "A@example.com")).toBe(2);
    await sql`select public.clear_attempts('sign-in', 'A@Example.com')`;
    expect(await attempt("192.0.2.33")).toBeNull();
  });

  test("they count for their period", async () => {
    await pass("10 minutes 1 second");
    expect(await attempt("192.0.2.31")).toBeNull();
  });
});

test.each([
  ["message", account],
  ["flood", account],
  ["none", account],
  ["sign-in", "x".repeat(321)],
])("%s is no attempt at an account", async (kind, of) => {
  await expect(attempt("192.0.2.1", of, kind)).rejects.toMatchObject({ code: "PT400" });
});

const request = async (kind = "recovery", address = account) => {
  const [row] = await sql<{ wait: number | null }>`
    select public.request_mail(${kind}, ${address}) as wait`;
  return row?.wait;
};
const stranger = "00000000-0000-4000-8000-000000000000";
const send = async (address = account, of = stranger) => {
  const [row] = await sql<{ sent: boolean }>`
    select public.take_mail(${address}, ${of}::text::uuid) as sent`;
  return row?.sent ? null : false;
};

describe("mails of the embedded authentication", () => {
  test("one of a kind is asked for in a minute", async () => {
    expect([await request(), await request()]).toEqual([null, 60]);
    expect(await request("recovery", "A@example.com")).toBe(60);
    expect([await request("confirmation"), await request("recovery", "b@example.com")]).toEqual([
      null,
      null,
    ]);
    await pass("61 seconds");
    expect(await request()).toBeNull();
  });

  test("an account gets ten in an hour, all together 300, and the owner's count nowhere", async () => {
    expect(await allowed(12, () => send())).toBe(10);
    let others = 0;
    const another = () => {
      others += 1;
      return send(`other${others}@example.com`);
    };
    expect(await allowed(300, another)).toBe(290);
    const [{ id } = { id: "" }] = await sql<{ id: string }>`
      insert into auth.users (id, email) values (gen_random_uuid(), 'owner@example.com') returning id`;
    await sql`insert into private.site_owner (user_id) values (${id})`;
    await sql`insert into private.reserved_owner values (true, 'reserved@example.com')`;
    expect(await allowed(30, () => send("owner@example.com", id))).toBe(30);
    expect(await allowed(30, () => send("reserved@example.com"))).toBe(30);
    await sql`truncate private.attempts`;
    expect(await allowed(301, another)).toBe(300);
  });
});

/** Leaves a message as the site does for a visitor. Its transaction ends with `held`. */
function leave(message: string, last: number, held?: () => Promise<unknown>) {
  return visitors.begin(async (transaction) => {
    const sent = JSON.stringify({ name: "n", email: "a@example.com", message });
    const [answer] = await transaction<{ wait_seconds: number | null }>`
      select wait_seconds
      from public.leave_message(${sent}::text::jsonb, ${`192.0.2.${last}`}::text::inet)`;
    await held?.();
    return answer?.wait_seconds;
  });
}

const attemptAt = (from: number, number: number) =>
  visitors.begin(
    (transaction) => transaction`
      select public.take_attempt('sign-in', ${`account${number}`}, ${`10.0.0.${from}`}::inet)`,
  );

test("only equal messages wait for a lock, for a second at most", async () => {
  await leave("held", 2, async () => {
    await leave("another", 3);
    const start = performance.now();
    await expect(leave("held", 3)).rejects.toMatchObject({ code: "55P03" });
    expect(performance.now() - start).toBeLessThan(2_000);
  });
});

test("a flood of one address does not hold up another visitor", async () => {
  const flood = Array.from({ length: 100 }, (_, number) => leave(`flood ${number % 5}`, 5));
  const start = performance.now();
  expect(await leave("one message", 6)).toBeNull();
  expect(performance.now() - start).toBeLessThan(5_000);
  const waits = await Promise.all(flood);
  expect(waits.filter((wait) => wait === null)).toHaveLength(10);
});

test("simultaneous attempts do not wait for each other to delete expired counts", async () => {
  for (let round = 0; round < 5; round += 1) {
    await visitors`
      insert into private.attempts (name, subject, points, expires_at)
      select 'sign-in', subject || number, 1, now() - interval '1 hour'
      from generate_series(1, 40) number, unnest(array['address 10.0.0.', 'account account']) subject
      on conflict (name, subject) do update set expires_at = excluded.expires_at`;
    const numbers = Array.from({ length: 40 }, (_, index) => index + 1);
    const all = Promise.all(numbers.map((number) => attemptAt(number, 41 - number)));
    await expect(all).resolves.toHaveLength(40);
  }
});
