import { expect } from "vitest";
import { newAddress } from "#tests/support/address.ts";
import { test } from "#tests/support/live-test.ts";
import { cookieOf } from "#tests/support/live.ts";
import { useSite } from "#tests/support/use-site.ts";
import { ask, signedUp } from "#tests/support/visitor.ts";

// Without SITE_URL: at home, a phone knows this machine by an address alone.
const site = useSite();

type Asked = [Host: string, Origin: string];

const own: Asked[] = [
  ["192.168.1.5:3000", "http://192.168.1.5:3000"],
  ["192.168.1.5", "http://192.168.1.5"],
  ["10.0.0.7:8080", "http://10.0.0.7:8080"],
  ["127.0.0.1:3000", "http://127.0.0.1:3000"],
  ["[::1]:3000", "http://[::1]:3000"],
  ["[fd00::5]:3000", "http://[fd00::5]:3000"],
  ["localhost:3000", "http://localhost:3000"],
];
const foreign: Asked[] = [
  // DNS rebinding: a stranger's page has given its own name this machine's address.
  ["evil.example:3000", "http://evil.example:3000"],
  ["192.168.1.5.evil.example", "http://192.168.1.5.evil.example"],
  ["localhost.evil.example:3000", "http://localhost.evil.example:3000"],
  ["laptop.local:3000", "http://laptop.local:3000"],
  ["192.168.1.5:3000", "http://192.168.1.5:8080"],
  ["192.168.1.5:3000", "http://192.168.1.5"],
  ["192.168.1.5:3000", "https://192.168.1.5:3000"],
  ["192.168.1.5:3000", "http://192.168.1.6:3000"],
  ["192.168.1.5:3000", "http://evil.example"],
  ["192.168.1.5:3000", "null"],
  ["192.168.1.5:3000", "192.168.1.5:3000"],
  ["localhost:3000", "http://localhost:3000.evil.example"],
  ["localhost:3000", "http://x-localhost:3000"],
  ["localhost:3000", ""],
];

const send = ([Host, Origin]: Asked, path = "/auth", more = {}) =>
  ask(site, "POST", path, {
    headers: {
      Host,
      Origin,
      "Content-Type": "application/x-www-form-urlencoded",
      "X-Forwarded-For": newAddress(),
      ...more,
    },
    body: "email=x@example.com&password=wrong1",
  });

test.each(own)("a form of a page at %s is the site's own", async (...asked) => {
  const { status, text } = await send(asked);
  expect([status, text.includes("من صفحة لها عنوان آخر")]).toEqual([400, false]);
});

test.each(foreign)("a form to %s of a page at %s is refused", async (...asked) => {
  for (const path of ["/auth", "/"]) {
    expect((await send(asked, path)).status).toBe(403);
  }
});

test("nothing else makes a form of another site an own one", async () => {
  const [asked = ["", ""]] = own;
  expect((await send(asked, "/", { "Sec-Fetch-Site": "cross-site" })).status).toBe(403);
  const forwarded = { "X-Forwarded-Host": "evil.example" };
  expect((await send(["localhost:3000", "http://evil.example"], "/", forwarded)).status).toBe(403);
});

test("the way back of a refused form stays at the address that was used", async () => {
  const { status, text } = await send(["10.0.0.7:8080", "null"], "/auth");
  expect([status, text.includes('href="http://10.0.0.7:8080/auth"')]).toEqual([403, true]);
});

test("a board's socket is judged as a form is, and refused without an origin", async ({
  statusOf,
}) => {
  const cookie = cookieOf(await signedUp(site));
  for (const [asked, status] of [
    [own, 101],
    [foreign, 403],
  ] as const) {
    for (const [Host, origin] of asked) {
      const answer = await statusOf(site, cookie, { origin, headers: { Host } });
      expect([Host, origin, answer]).toEqual([Host, origin, status]);
    }
  }
  expect(await statusOf(site, cookie, { origin: undefined })).toBe(403);
});
