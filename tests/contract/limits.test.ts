import { afterAll, describe, expect, test } from "vitest";
import { newClient } from "#tests/support/auth-server.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { callAsSite } from "#tests/support/site-call.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = await startTestServer();
afterAll(() => server.close());

/** How many of `count` attempts at an account were allowed. `take` can pass a browser's proof. */
async function attempts(
  count: number,
  address: string,
  account: string,
  more: { kind?: string; device?: string } = {},
): Promise<number> {
  let allowed = 0;
  for (let index = 0; index < count; index += 1) {
    if ((await attempt(address, account, more)) === null) {
      allowed += 1;
    }
  }
  return allowed;
}

/** Makes an attempt. Returns the seconds to wait, null if it was allowed. */
async function attempt(
  address: string,
  account: string,
  more: object = {},
): Promise<number | null> {
  const args = { kind: "sign-in", account, address, ...more };
  const { data, error } = await callAsSite(server, "take_attempt", args);
  expect(error).toBeNull();
  return data;
}

/** Changes all counts, as the time does. */
const changeCounts = (assignment: string) =>
  withSuperuser(server.dataDir, (sql) => sql.script(`update private.attempts set ${assignment}`));

async function proofOf(email: string, password = "a password"): Promise<string> {
  const client = newClient(server);
  const { error } = await client.auth.signUp({ email, password });
  expect(error).toBeNull();
  const { data } = await client.rpc("device_proof");
  return data;
}

describe("attempts at an account", () => {
  test("many addresses only slow an account down", async () => {
    const email = "slow@example.com";
    for (const last of [1, 2, 3, 4, 5, 6]) {
      expect(await attempts(10, `192.0.3.${last}`, email)).toBe(10);
    }
    const wait = (last: number) => attempt(`192.0.3.${last}`, email);
    expect(await attempts(3, "192.0.3.7", email)).toBe(1);
    expect(await wait(8)).toSatisfy((seconds: number) => seconds >= 1 && seconds <= 2);
    await changeCounts("next_at = now()");
    expect(await attempts(3, "192.0.3.9", email)).toBe(1);
    await changeCounts("next_at = now()");
    expect(await attempts(1, "192.0.3.10", email)).toBe(1);
    expect(await wait(11)).toSatisfy((seconds: number) => seconds > 32 && seconds <= 60);
  });

  test("begin anew when their time is over", async () => {
    const [address, email] = ["192.0.2.1", "anew@example.com"];
    const useUp = async () => [
      await attempts(10, address, email),
      await attempts(10, address, `2-${email}`),
      await attempts(1, address, `3-${email}`),
    ];
    expect(await useUp()).toEqual([10, 10, 0]);
    await changeCounts("expires_at = now() - interval '1 second'");
    expect(await useUp()).toEqual([10, 10, 0]);
  });

  test.each([
    ["empty", ""],
    ["of zeros", "0".repeat(32)],
    ["of SQL", "' or true --"],
  ])("a forged proof, %s, changes nothing", async (name, device) => {
    const email = `no-proof-${name.replace(/\s/g, "-")}@example.com`;
    await proofOf(email);
    const address = `192.0.5.${name.length}`;
    expect(await attempts(11, address, email)).toBe(10);
    expect(await attempts(1, address, email, { device })).toBe(0);
  });

  test("a new password revokes the proofs", async () => {
    const client = newClient(server);
    await client.auth.signUp({ email: "changes@example.com", password: "a password" });
    const { data: before } = await client.rpc("device_proof");
    const change = { password: "another password", current_password: "a password" };
    expect((await client.auth.updateUser(change)).error).toBeNull();
    const { data: after } = await client.rpc("device_proof");
    expect(after).toMatch(/^[0-9a-f]{32}$/);
    expect(after).not.toBe(before);
    await attempts(11, "192.0.7.1", "changes@example.com");
    const changes = (device: string) => attempts(1, "192.0.7.1", "changes@example.com", { device });
    expect([await changes(before), await changes(after)]).toEqual([0, 1]);
  });
});

test("one address cannot use up a mailed code, which ten wrong tries void", async () => {
  const email = "mailed@example.com";
  expect(await attempts(7, "192.0.8.1", email, { kind: "mailed-code" })).toBe(5);
  expect(await attempts(1, "192.0.8.2", email, { kind: "mailed-code" })).toBe(1);
});

describe("addresses", () => {
  test.each([
    ["an IPv6 customer", "2001:db8:1:2::1", "2001:db8:1:2:ffff::9", "2001:db8:1:3::1"],
    ["IPv4 in IPv6", "::ffff:198.51.100.1", "198.51.100.1", "::ffff:198.51.100.2"],
    ["IPv4 in hexadecimal", "::ffff:c633:6403", "198.51.100.3", "198.51.100.4"],
  ])("%s", async (name, first, same, other) => {
    expect(await attempts(10, first, `${name}@example.com`)).toBe(10);
    expect(await attempts(1, same, `${name}@example.com`)).toBe(0);
    expect(await attempts(1, other, `${name}@example.com`)).toBe(1);
  });
});
