import { expect } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import type { Api } from "#tests/support/api.ts";
import { test } from "#tests/support/site-test.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

/** Uses up an account's attempts from many addresses, with the public key. */
async function useUp(api: Api, account: string): Promise<void> {
  const fromOneAddress = async () => {
    const caller = { ...api.anon, address: newAddress() };
    for (let index = 0; index < 10; index += 1) {
      await api.call(caller, "take_attempt", { kind: "sign-in", account });
    }
  };
  await Promise.all(Array.from({ length: 8 }, fromOneAddress));
}

test("strangers cannot slow down a browser that the account used before", async ({ site, api }) => {
  const victim = await signedUp(site);
  await victim.post("/sign-out");
  expect(victim.sessionCookies()).toEqual([]);
  await useUp(api, victim.credentials.email);

  const elsewhere = await new Visitor(site).post("/auth", victim.credentials);
  expect(elsewhere.status).toBe(429);
  expect(Number(elsewhere.headers["retry-after"])).toSatisfy((s) => s > 0 && s <= 60);
  expect((await victim.post("/auth", victim.credentials)).status).toBe(302);
});

test("the proof is an httpOnly cookie that reveals nothing about the account", async ({ site }) => {
  const visitor = new Visitor(site);
  const credentials = newCredentials();
  const answer = await visitor.post("/auth?mode=sign-up", credentials);
  const header = answer.headers["set-cookie"]?.find((cookie) => cookie.startsWith("device="));
  expect(header).toMatch(
    /^device=[0-9a-f]{32}; Max-Age=15552000; Path=\/; HttpOnly; SameSite=Lax$/,
  );
  // A second sign-in sets no further cookie.
  const again = await visitor.post("/auth", credentials);
  expect(String(again.headers["set-cookie"])).not.toContain("device=");
});
