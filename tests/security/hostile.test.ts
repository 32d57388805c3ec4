import * as fc from "fast-check";
import pLimit from "p-limit";
import { afterAll, expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { inputs, stack, toBytes } from "#tests/support/hostile.ts";
import { raw, requestBytes, siteMemory } from "#tests/support/raw-request.ts";
import { startSite } from "#tests/support/site.ts";
import { ask, signedUp } from "#tests/support/visitor.ts";

const seed = Number(process.env["HOSTILE_SEED"] ?? 20_261_121);
const secret = "row-that-nobody-but-the-owner-reads";

const site = await startSite();
afterAll(() => site.stop());
const api = await openApi(site);
const owner = await signedUp(site);
await api.store({ name: secret, email: `${secret}@example.com`, message: secret });
await api.claim(owner.session().access_token);
const stranger = await signedUp(site);

/** The fault of a response to such an input, undefined if there is none. */
function fault(answer: string): string | undefined {
  const status = Number(/^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 0);
  if (status === 0 || status >= 500) {
    return `status ${status}`;
  }
  if (answer.includes(secret)) {
    return "a foreign row";
  }
  if (stack.test(answer)) {
    return "a stack";
  }
  return /^x-split:/im.test(answer.split("\r\n\r\n")[0] ?? "")
    ? "a header of the sender's"
    : undefined;
}

test("3,000 hostile requests cause no failure and return no stack and no foreign row", async () => {
  const before = await siteMemory();
  const list = fc.sample(inputs, { numRuns: 3_000, seed });
  const cookie = stranger
    .sessionCookies()
    .map((pair) => pair.join("="))
    .join("; ");
  const faults: string[] = [];
  const eightAtOnce = pLimit(8);
  await eightAtOnce.map(list, async (input) => {
    const answer = await raw(site, toBytes(input, site.url, cookie)).catch(
      (error: Error) => `no answer: ${error.message}`,
    );
    const found = fault(answer);
    if (found) {
      faults.push(
        `${found}; HOSTILE_SEED=${seed}: ${JSON.stringify(input).slice(0, 600)} -> ${answer.slice(-200)}`,
      );
    }
  });
  expect(faults.slice(0, 10)).toEqual([]);
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
  expect(await siteMemory()).toBeLessThan(before + 300 * 1024 * 1024);
}, 180_000);

test("an endless body is refused before it is stored in memory", async () => {
  const before = await siteMemory();
  const big = Buffer.alloc(64 * 1024 * 1024, "a");
  for (const target of ["/", "/auth", "/no/such/page"]) {
    for (const chunked of [true, false]) {
      const headers: [string, string][] = [
        ["Origin", site.url],
        ["Content-Type", "application/x-www-form-urlencoded"],
      ];
      const request = requestBytes({ method: "POST", target, headers, body: big, chunked });
      const answer = await raw(site, request).catch(() => "cut");
      expect([target, answer.slice(0, 12)]).toEqual([
        target,
        expect.stringMatching(/^(cut|HTTP\/1\.1 41[13]|)$/),
      ]);
    }
  }
  expect((await ask(site, "GET", "/healthz")).status).toBe(200);
  expect(await siteMemory()).toBeLessThan(before + 150 * 1024 * 1024);
}, 60_000);

test("leave no stack in the log", () => {
  expect(site.output().match(/.*stack=.*/g) ?? []).toEqual([]);
  expect(site.output()).not.toContain(secret);
});
