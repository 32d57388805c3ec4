import { Agent, request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { useSite } from "#tests/support/use-site.ts";
import { Visitor } from "#tests/support/visitor.ts";

const site = useSite();
const address = newAddress();
const pages = ["/", "/admin", "/auth?next=/account"];

/** Asks over a kept connection; posts a wrong form if there is a body. */
function ask(agent: Agent, path: string, body?: string) {
  return new Promise<{ status: number; wait: string | undefined }>((resolve, reject) => {
    const headers = {
      Origin: site.url,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": address,
    };
    const method = body === undefined ? "GET" : "POST";
    httpRequest(`${site.url}${path}`, { method, headers, agent }, (response) => {
      const { statusCode: status = 0, headers: given } = response;
      response.resume().on("end", () => resolve({ status, wait: given["retry-after"] }));
    })
      .on("error", reject)
      .end(body);
  });
}

test.each<[what: string, most: number, path: string, body: string | undefined, known: number[]]>([
  ["post forms", 120, "/auth/forgot?", "email=wrong", [400]],
  ["request rendered pages", 200, "/?next=", undefined, [200, 503]],
])(
  "connections of one address that %s take no page from another",
  async (_, most, path, body, known) => {
    const agent = new Agent({ keepAlive: true, maxSockets: most });
    const over = new AbortController();
    const flooded = new Set<number>();
    const client = async (name: number) => {
      for (let round = 0; !over.signal.aborted; round += 1) {
        const { status, wait } = await ask(agent, `${path}${name}-${round}`, body);
        flooded.add(status);
        expect(wait).toBe(status === 503 ? "2" : undefined);
      }
    };
    const flood = Promise.all(Array.from({ length: most }, (__, name) => client(name)));
    const waits: number[] = [];
    const look = async () => {
      for (const page of Array.from({ length: 7 }, () => pages).flat()) {
        const asking = performance.now();
        const { status } = await new Visitor(site).get(page);
        expect([page, status]).toEqual([page, page === "/admin" ? 302 : 200]);
        waits.push(performance.now() - asking);
      }
    };
    await Promise.race([flood, look()]).finally(() => over.abort());
    await flood;
    agent.destroy();
    expect([...flooded].toSorted()).toEqual(known);
    // The machine runs other tests too.
    expect(waits.toSorted((a, b) => a - b)[10]).toBeLessThan(1_000);
  },
);
