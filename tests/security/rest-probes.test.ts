import { expect } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { rest, stored } from "#tests/support/roles.ts";
import { test as base } from "#tests/support/site-test.ts";
import { signedUp } from "#tests/support/visitor.ts";

const test = base.extend("stranger", { scope: "file" }, async ({ site, api }) => {
  await stored(api);
  const owner = await signedUp(site);
  const stranger = await signedUp(site);
  const { token } = await api.enrol(owner.session().access_token);
  await api.claim(token);
  return api.as(stranger.session().access_token);
});

test("no count reveals how many rows are hidden", async ({ api, stranger }) => {
  for (const count of ["planned", "estimated"]) {
    for (const caller of [api.anon, stranger]) {
      const answers: unknown[] = [];
      for (const email of ["a@example.com", "unknown@example.com"]) {
        const path = `${rest}?email=eq.${email}`;
        const { status, headers, text } = await api.send(caller, "GET", path, undefined, {
          Prefer: `count=${count}`,
        });
        answers.push([status, headers["content-range"], text]);
      }
      expect(answers[0]).toEqual([400, undefined, expect.stringContaining("PGRST127")]);
      expect(answers[1]).toEqual(answers[0]);
    }
  }
  const exact = await api.send(stranger, "GET", rest, undefined, { Prefer: "count=exact" });
  expect([exact.status, exact.headers["content-range"], exact.json]).toEqual([200, "*/0", []]);
  const plan = await api.send(stranger, "GET", rest, undefined, {
    Accept: "application/vnd.pgrst.plan+json",
  });
  expect(plan.status).toBe(406);
});

test("nested groups are cheap", async ({ api }) => {
  for (const [unit, length] of [
    ["or(", 12_000],
    ["or(", 15_000],
    ["and(or(", 8_000],
    ["not.and(", 8_100],
  ] as const) {
    const query = `or=(${unit.repeat(length / unit.length)}`;
    const answer = await api.send(api.anon, "GET", `${rest}?${query}`);
    expect([400, 414]).toContain(answer.status);
    expect(answer.json.code).toBe("PGRST100");
  }
});

test("a temporary refusal has Retry-After", async ({ api }) => {
  const address = newAddress();
  const caller = { ...api.anon, address };
  const statuses = new Set<number>();
  const waits: string[] = [];
  for (let number = 0; number < 30; number += 1) {
    const body = { name: "زائر", email: "a@example.com", message: `رسالة ${number}` };
    const answer = await api.send(caller, "POST", rest, body);
    statuses.add(answer.status);
    waits.push(...(answer.status === 429 ? [String(answer.headers["retry-after"])] : []));
  }
  expect(waits).toSatisfy((all) => all.every((seconds: string) => /^[1-9]\d{0,4}$/.test(seconds)));
  expect(statuses).toEqual(new Set([201, 429]));
});

test("the secret key and visitors log in as different roles", async ({ api, stranger }) => {
  const forged = { ...stranger, apikey: api.keys.publishableKey };
  const answer = await api.send(forged, "GET", `${rest}?select=id`);
  expect(answer.json).toEqual([]);
  const asService = await api.send(
    { apikey: api.keys.secretKey, token: stranger.token ?? "" },
    "GET",
    rest,
  );
  expect(asService.json).toEqual([]);
});
