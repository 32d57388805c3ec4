import { randomUUID } from "node:crypto";
import { afterEach, expect, test, vi } from "vitest";
import { type Done, openDone, sealDone } from "./done-token.server.ts";

const signer = { secret: "a secret of the site", account: randomUUID() };
const done: Done = { what: "archive", count: 50, id: randomUUID() };

afterEach(() => void vi.useRealTimers());

test("a token says what was done, in the length of an address", () => {
  const token = sealDone(done, signer);
  expect(openDone(token, signer)).toEqual(done);
  expect(token).toMatch(/^[\w.-]+$/);
  expect(token.length).toBeLessThanOrEqual(84);
});

test("it names the action, so that a release with other actions does not run another one", () => {
  expect(sealDone(done, signer)).toMatch(/^archive\.50\./);
});

test("nobody else can make one, and none can be changed", () => {
  const token = sealDone(done, signer);
  expect(openDone(token, { ...signer, account: randomUUID() })).toBeUndefined();
  expect(openDone(token, { ...signer, secret: "another one" })).toBeUndefined();
  for (let place = 0; place < token.length; place += 1) {
    const sign = token[place] === "A" ? "B" : "A";
    const changed = token.slice(0, place) + sign + token.slice(place + 1);
    expect([changed, openDone(changed, signer)]).toEqual([changed, undefined]);
  }
  for (const text of ["", "x", ".", token.slice(0, -1), `${token}A`, `${token}.`, "٣".repeat(99)]) {
    expect(openDone(text, signer)).toBeUndefined();
  }
});

test("one of yesterday says nothing", () => {
  vi.useFakeTimers();
  const token = sealDone(done, signer);
  vi.advanceTimersByTime(11 * 60 * 60 * 1000);
  expect(openDone(token, signer)).toBeDefined();
  vi.advanceTimersByTime(2 * 60 * 60 * 1000);
  expect(openDone(token, signer)).toBeUndefined();
});
