import { beforeEach, expect, test } from "vitest";
import { tapNames } from "#app/models/counts.server.ts";
import { without, withSuperuser } from "#tests/support/superuser.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { type Ask, Visitor, ask, signedUp } from "#tests/support/visitor.ts";

const inbox = useClaimedSite();
const press = (counts: string, by: Visitor = inbox.owner) =>
  by.post("/account", { action: "change-counts", counts });
beforeEach(() => press("reset"));

const browser = { "User-Agent": "Mozilla/5.0 (iPhone; CPU iPhone OS 18_4 like Mac OS X)" };
const see = (headers: Record<string, string> = {}, path = "/", method = "GET") =>
  ask(inbox.site, method, path, { headers: { ...browser, ...headers } });

/** A link's ping, as Chromium sends it. */
const tap = (name: string, { headers, body = "PING" }: Ask = {}) =>
  ask(inbox.site, "POST", `/tap/${name}`, {
    headers: {
      Origin: inbox.site.url,
      "Content-Type": "text/ping",
      "Sec-Fetch-Site": "same-origin",
      ...headers,
    },
    body,
  });

const stored = () =>
  withSuperuser(inbox.site.dataDir, async (sql) => {
    const rows = await sql`select what, times::int from private.counts order by what`;
    return Object.fromEntries(rows.map(({ what, times }) => [what, times]));
  });

/** The stored numbers after a button, which saves them first. */
async function counted(button = "on") {
  await press(button);
  return stored();
}

test("views and taps are counted and shown to the owner at once", async () => {
  for (const path of ["/", "/?utm_source=x", "/"]) {
    expect((await see({}, path)).status).toBe(200);
  }
  const names = Array.from(tapNames.keys());
  for (const name of [...names, "chat"]) {
    expect((await tap(name)).status).toBe(204);
  }
  const shown = async () => {
    const { text } = await inbox.owner.get("/account");
    expect(text).toContain("الأرقام حد أدنى");
    return /مشاهدات الصفحة<\/th><td>(.+?)<\/td><td>(.+?)</.exec(
      text.replaceAll(/<svg.*?<\/svg>/g, ""),
    );
  };
  expect(await shown()).toMatchObject({ 1: "٣", 2: "٣" });
  const once = Object.fromEntries(names.map((name) => [name, 1]));
  expect(await counted()).toEqual({ ...once, view: 3, chat: 2 });
  expect(await shown()).toMatchObject({ 1: "٣", 2: "٣" });
  const stranger = await signedUp(inbox.site);
  expect((await stranger.get("/account")).text).not.toContain("مشاهدات الصفحة");
});

test("programs, prefetches, parts of other pages, other pages and signed-in accounts are not counted", async () => {
  const agents = ["", "Googlebot/2.1", "facebookexternalhit/1.1", "WhatsApp/2.23", "curl/8.5"];
  for (const agent of agents) {
    await see({ "User-Agent": agent });
  }
  await see({ "Sec-Purpose": "prefetch;prerender" });
  for (const place of ["image", "iframe", "empty"]) {
    await see({ "Sec-Fetch-Dest": place });
  }
  await see({}, "/", "HEAD");
  await see({}, "/auth");
  await see({}, "/?sent");
  await see({}, "/privacy");
  await see({ Cookie: inbox.owner.cookieHeader() });
  expect(await counted()).toEqual({});
});

test("forged pings count nothing and leave nothing", async () => {
  const names = ["view", "myspace", "x".repeat(5_000), "__proto__", "constructor", "%00", "CHAT"];
  for (const name of names) {
    expect([name, (await tap(name)).status < 500]).toEqual([name, true]);
  }
  const foreign: Record<string, string>[] = [
    { "Sec-Fetch-Site": "cross-site", Origin: "https://evil.example" },
    { "Sec-Fetch-Site": "same-site", Origin: "https://x.evil.example" },
    { "Sec-Fetch-Site": "cross-site", Origin: "null" },
  ];
  for (const headers of foreign) {
    expect([headers, (await tap("chat", { headers })).status]).toEqual([headers, 403]);
  }
  expect((await tap("chat", { body: "x".repeat(140_000) })).status).toBe(413);
  for (const method of ["GET", "HEAD", "PUT", "DELETE"]) {
    const headers = { Origin: inbox.site.url };
    const { status } = await ask(inbox.site, method, "/tap/chat", { headers });
    expect([method, status]).toEqual([method, expect.toSatisfy((s) => s === 404 || s === 405)]);
  }
  expect(await counted()).toEqual({});
});

test("one button stops the counting, and another resets it", async () => {
  await see();
  expect((await press("off")).status).toBe(302);
  await see();
  await tap("chat");
  expect(await counted("off")).toEqual({ view: 1 });
  expect((await inbox.owner.get("/account")).text).toContain("العدّ متوقف الآن");
  expect((await new Visitor(inbox.site).get("/privacy")).text).not.toContain("عدّ الزيارات");
  await press("on");
  await see();
  expect(await counted()).toEqual({ view: 2 });
  expect((await new Visitor(inbox.site).get("/privacy")).text).toContain("عدّ الزيارات");
  await see();
  await press("reset");
  expect(await counted()).toEqual({});
});

test("a stop saves the numbers; a fault loses them and is logged", async () => {
  await see();
  await inbox.site.restart("SIGTERM");
  expect(await stored()).toEqual({ view: 1 });
  await see();
  expect(await without(inbox.site, "add_counts", counted)).toEqual({ view: 1 });
  await expect.poll(() => inbox.site.output()).toContain("A minute of visits was not counted");
});
