import { glob, readFile } from "node:fs/promises";
import { Agent, get as httpGet } from "node:http";
import { afterAll, beforeAll, expect, test } from "vitest";
import { queryNames } from "#app/server/pages/prerendered-pages.ts";
import { root, type RunningSite, startSite } from "#tests/support/site.ts";
import { ask, signedUp, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const tagOf = async (path: string) => (await ask(site, "GET", path)).headers.etag;

test.each([
  ["/", "/?utm_source=mail&utm_campaign=%D8%B9"],
  ["/", "/?fbclid=x"],
  ["/", "/?"],
  ["/", "/?a&a=1&=&%zz"],
  ["/?sent", "/?utm_source=x&sent"],
  ["/?sent", "/?sent="],
  ["/auth", "/auth?gclid=x"],
  ["/auth?mode=sign-up", "/auth?gclid=x&mode=sign-up"],
])("%s is prerendered also as %s", async (known, asked) => {
  expect(await tagOf(known)).toBeDefined();
  expect(await tagOf(asked)).toBe(await tagOf(known));
});

test("a link of a campaign also begins a visit", async () => {
  const visitor = new Visitor(site);
  await visitor.get("/?utm_source=x");
  expect(visitor.cookies.has("visit")).toBe(true);
});

test.each(["/?next=x", "/auth?next=/account", "/auth?check-mail"])(
  "%s is rendered",
  async (path) => {
    expect(await tagOf(path)).toBeUndefined();
    expect((await ask(site, "GET", path)).status).toBe(200);
  },
);

test("a signed-in visitor gets a page of their own", async () => {
  const visitor = await signedUp(site);
  expect((await visitor.get("/auth?utm_source=x")).status).toBe(302);
});

test("the routes of these pages read no other names", async () => {
  const files = glob("app/routes/{home,auth}/**/*.{ts,tsx}", { cwd: root });
  const found = new Set<string>();
  for await (const file of files) {
    const source = await readFile(`${root}/${file}`, "utf8");
    for (const [, name = ""] of source.matchAll(/searchParams\.(?:get|has)\("([\w-]+)"\)/g)) {
      found.add(name);
    }
  }
  expect(found).toContain("next");
  // Only /auth/confirm reads these, and it is not prerendered.
  const elsewhere = new Set(["type", "token_hash"]);
  expect([...found].filter((name) => !queryNames.has(name) && !elsewhere.has(name))).toEqual([]);
});

test("200 connections that request rendered pages delay nobody else", async () => {
  const agent = new Agent({ keepAlive: true, maxSockets: 200 });
  const statuses = new Set<number>();
  const over = new AbortController();
  const client = async (name: number) => {
    for (let round = 0; !over.signal.aborted; round += 1) {
      const { status, retryAfter } = await load(`/?next=${name}-${round}`, agent);
      statuses.add(status);
      expect(retryAfter).toBe(status === 503 ? "2" : undefined);
    }
  };
  const flood = Promise.all(Array.from({ length: 200 }, (_, name) => client(name)));
  const waits: number[] = [];
  const look = async () => {
    for (let count = 0; count < 20; count += 1) {
      const asked = performance.now();
      expect((await ask(site, "GET", count % 2 ? "/" : "/icon.svg")).status).toBe(200);
      waits.push(performance.now() - asked);
    }
  };
  await Promise.race([flood, look()]).finally(() => over.abort());
  await flood;
  agent.destroy();
  // Warm-up: the code is not compiled yet.
  const sorted = waits.slice(5).toSorted((a, b) => a - b);
  expect(sorted[7]).toBeLessThan(1_000);
  expect([...statuses].toSorted()).toEqual([200, 503]);
});

function load(path: string, agent: Agent): Promise<{ status: number; retryAfter?: string }> {
  return new Promise((resolve, reject) => {
    httpGet(`${site.url}${path}`, { agent }, (response) => {
      response.resume().on("end", () => {
        const retryAfter = response.headers["retry-after"];
        resolve({ status: response.statusCode ?? 0, ...(retryAfter && { retryAfter }) });
      });
    }).on("error", reject);
  });
}
