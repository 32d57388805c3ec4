import { Agent, request as httpRequest } from "node:http";
import { expect, test } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { raw } from "#tests/support/raw-request.ts";
import { useSite } from "#tests/support/use-site.ts";
import { Visitor, ask } from "#tests/support/visitor.ts";

const site = useSite();

/** Requests in one write; after the last one the connection ends. */
const requests = (targets: string[]) =>
  Buffer.from(
    targets
      .map((target, index) => {
        const isLast = index === targets.length - 1;
        const connection = isLast ? "close" : "keep-alive";
        return `GET ${target} HTTP/1.1\r\nHost: localhost\r\nConnection: ${connection}\r\n\r\n`;
      })
      .join(""),
  );

const statusesOf = (answers: string) => answers.match(/(?<=HTTP\/1\.1 )\d+/g) ?? [];

test("a few pipelined requests are all answered, in order", async () => {
  const targets = Array.from({ length: 30 }, (_, index) => (index % 3 ? "/?x" : "/nothing"));
  const expected = targets.map((target) => (target === "/?x" ? "200" : "404"));
  expect(statusesOf(await raw(site, requests(targets)))).toEqual(expected);
});

test.each(["/", "/?x", "/healthz", "/nothing"])(
  "of 2,000 pipelined requests for %s, at most 32 are processed",
  async (target) => {
    // The connection is cut, perhaps before the first response.
    const answers = await raw(site, requests(Array.from({ length: 2_000 }, () => target))).catch(
      (error: NodeJS.ErrnoException) => (error.code === "ECONNRESET" ? "" : Promise.reject(error)),
    );
    expect(statusesOf(answers).length).toBeLessThanOrEqual(32);
    expect((await ask(site, "GET", "/healthz")).status).toBe(200);
    await expect
      .poll(() => site.output().match(/A limit was reached .*/g))
      .toEqual(["A limit was reached limit=unanswered count=1"]);
  },
);

const address = newAddress();
const pages = ["/", "/admin", "/auth?next=/account"];

/** Asks over a kept connection; posts a wrong form if there is a body. */
function askOver(agent: Agent, path: string, body?: string) {
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
        const { status, wait } = await askOver(agent, `${path}${name}-${round}`, body);
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
