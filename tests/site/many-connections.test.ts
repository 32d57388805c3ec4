import { Agent, request as httpRequest } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

/** Posts a wrong form over a kept connection. Resolves to the status. */
function post(address: string, agent: Agent): Promise<number> {
  return new Promise((resolve, reject) => {
    const headers = {
      Origin: site.url,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": address,
    };
    httpRequest(`${site.url}/auth/forgot`, { method: "POST", headers, agent }, (response) => {
      response.resume().on("end", () => resolve(response.statusCode ?? 0));
    })
      .on("error", reject)
      .end("email=wrong");
  });
}

test("120 connections of one address that post forms take no page from another", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 120 });
  const address = newAddress();
  const over = new AbortController();
  const forms = new Set<number>();
  const flood = Promise.all(
    Array.from({ length: 120 }, async () => {
      while (!over.signal.aborted) {
        forms.add(await post(address, agent));
      }
    }),
  );
  const statuses: number[] = [];
  const waits: number[] = [];
  const look = async () => {
    for (let count = 0; count < 20; count += 1) {
      const asked = performance.now();
      const path = count % 2 ? "/admin" : "/auth?next=/account";
      statuses.push((await new Visitor(site).get(path)).status);
      waits.push(performance.now() - asked);
    }
  };
  await Promise.race([flood, look()]).finally(() => over.abort());
  await flood;
  agent.destroy();
  expect(new Set(statuses)).toEqual(new Set([200, 302]));
  expect(forms).toEqual(new Set([400]));
  const sorted = waits.toSorted((a, b) => a - b);
  // The machine runs other tests too.
  expect(sorted[10]).toBeLessThan(1_000);
});
