import { afterAll, beforeAll, expect, test } from "vitest";
import { openTab } from "#tests/support/live.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp, type Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

const open = (visitor: Visitor) =>
  openTab(site, {
    address: visitor.address,
    cookie: visitor
      .sessionCookies()
      .map((cookie) => cookie.join("="))
      .join("; "),
  });

test("sockets beyond 2,000 in all are refused, from however many accounts and addresses", async () => {
  const tabs: ReturnType<typeof open>[] = [];
  for (let account = 0; account < 20; account += 1) {
    const visitor = await signedUp(site);
    const added = Array.from({ length: 100 }, () => open(visitor));
    const statuses = new Set(await Promise.all(added.map(({ status }) => status)));
    expect([account, statuses]).toEqual([account, new Set([101])]);
    tabs.push(...added);
  }
  const other = await signedUp(site);
  expect(await open(other).status).toBe(429);
  await expect.poll(() => site.output()).toContain("limit was reached limit=liveSockets count=1");
  // The site still serves pages.
  expect((await other.get("/admin")).status).toBe(200);
  for (const { socket } of tabs.slice(0, 10)) {
    socket.terminate();
  }
  await expect.poll(() => open(other).status).toBe(101);
  for (const { socket } of tabs) {
    socket.terminate();
  }
}, 120_000);
