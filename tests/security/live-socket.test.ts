import { signAccessToken } from "embedded-supabase/testing";
import { decodeJwt } from "jose";
import { describe, expect } from "vitest";
import { test } from "#tests/support/live-test.ts";
import { cookieOf, cookieWith, insert, type LiveTab, namesOf } from "#tests/support/live.ts";
import { useApi, useOwnSite } from "#tests/support/use-site.ts";
import { signedUp } from "#tests/support/visitor.ts";

// The log of a shared site may have limits that other files reached.
const site = useOwnSite();
const api = useApi(site);

test("rows that an import adds to another box, or as answered, are no new messages", async ({
  open,
}) => {
  const tab = open(site, cookieOf(await signedUp(site)));
  expect(await tab.status).toBe(101);
  const before = new Date(Date.now() - 86_400_000).toISOString();
  for (const state of ["deleted_at", "archived_at", "answered_at", "spam_at"]) {
    const signs = state === "spam_at" ? { spam_signs: ["links"] } : {};
    await insert(api, state, { ...signs, created_at: before, [state]: before });
  }
  await insert(api, "جديدة");
  await expect
    .poll(() => namesOf(tab))
    .toEqual([undefined, undefined, undefined, undefined, "جديدة"]);
});

test("no page and no answer shows the browser a token or a key", async () => {
  const visitor = await signedUp(site);
  for (const path of ["/admin", "/admin.data", "/admin/live", "/admin/live.data", "/account"]) {
    const { text } = await visitor.get(path);
    expect([path, /eyJ[\w-]+\.|sb_(publishable|secret)/.exec(text)]).toEqual([path, null]);
  }
  expect((await visitor.get("/admin/live")).status).toBe(404);
});

// own-address.test.ts has those of other sites.
describe("a socket is refused", () => {
  test("without a genuine, open session", async ({ open, statusOf }) => {
    const visitor = await signedUp(site);
    const { access_token: token } = visitor.session();
    const [header = "", payload = ""] = token.split(".");
    const claims = decodeJwt<{ role: string; exp: number }>(token);
    const old = await signAccessToken(api.keys, { ...claims, exp: Date.now() / 1000 - 1 });
    // tokens.test.ts has forged ones.
    for (const cookie of ["", "session=garbage", cookieWith(visitor, old)]) {
      expect([cookie, await statusOf(site, cookie)]).toEqual([cookie, 401]);
    }
    // An open socket of the same session does not change that.
    expect(await open(site, cookieOf(visitor)).status).toBe(101);
    expect(await statusOf(site, cookieWith(visitor, `${header}.${payload}.AAAA`))).toBe(401);
    const cookie = cookieOf(visitor);
    await visitor.post("/sign-out");
    expect(await statusOf(site, cookie)).toBe(401);
  });

  test("beyond a hundred per address", async ({ open, statusOf }) => {
    const cookie = cookieOf(await signedUp(site));
    const other = cookieOf(await signedUp(site));
    const address = "2001:db8:1:2::1";
    const many = Array.from({ length: 100 }, () => open(site, cookie, { address }));
    for (const tab of many) {
      expect(await tab.status).toBe(101);
    }
    expect(await statusOf(site, other, { address: "2001:db8:1:ff::9" })).toBe(429);
    expect(await statusOf(site, cookie)).toBe(101);
    await expect
      .poll(() => site.output().match(/(?<=A limit was reached ).*/g))
      .toEqual(["limit=liveSocketsOfAddress count=1"]);
    const [last] = many;
    last?.socket.close();
    await last?.closed;
    await expect.poll(() => statusOf(site, cookie, { address })).toBe(101);
  });
});

test("a browser that sends a frame is disconnected", async ({ open }) => {
  const cookie = cookieOf(await signedUp(site));
  for (const say of [
    ({ socket }: LiveTab) => socket.send("x"),
    ({ socket }: LiveTab) => socket.send(Buffer.alloc(1)),
    ({ socket }: LiveTab) => socket.send("x".repeat(1_000_000)),
    ({ socket }: LiveTab) => socket.ping(),
  ]) {
    const tab = open(site, cookie);
    expect(await tab.status).toBe(101);
    say(tab);
    // The socket closes with or without the code for a frame that is too large.
    expect([1006, 1009]).toContain(await tab.closed);
  }
});
