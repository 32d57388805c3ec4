import { glob, readFile } from "node:fs/promises";
import { expect, test } from "vitest";
import { queryNames } from "#app/server/pages/prerendered-pages.ts";
import { root } from "#tests/support/site.ts";
import { useSite } from "#tests/support/use-site.ts";
import { ask, signedUp } from "#tests/support/visitor.ts";

const site = useSite();

const tagOf = async (path: string) => (await ask(site, "GET", path)).headers.etag;

test.each([
  ["/", "/?utm_source=mail&utm_campaign=%D8%B9"],
  ["/", "/?"],
  ["/", "/?a&a=1&=&%zz"],
  ["/?sent", "/?utm_source=x&sent"],
  ["/auth?mode=sign-up", "/auth?gclid=x&mode=sign-up"],
])("%s is prerendered also as %s", async (known, asked) => {
  expect(await tagOf(known)).toBeDefined();
  expect(await tagOf(asked)).toBe(await tagOf(known));
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
  // Only /auth/confirm reads the first two, and it is not prerendered. A channel's link has the third.
  const elsewhere = new Set(["type", "token_hash", "phone"]);
  expect([...found].filter((name) => !queryNames.has(name) && !elsewhere.has(name))).toEqual([]);
});

/** The cookie of the visit that a response begins, undefined if it begins none. */
async function visitOf(path: string, cookie = ""): Promise<string | undefined> {
  const { headers } = await fetch(site.url + path, { headers: { Cookie: cookie } });
  return headers
    .getSetCookie()
    .find((header) => header.startsWith("visit="))
    ?.split(";")[0];
}

// The first page is prerendered, the others are rendered. The last URL is for scripts.
test.each(["/", "/?utm_source=x", "//", "/_.data"])(
  "%s begins a visit, and another tab continues it",
  async (path) => {
    const visit = await visitOf(path);
    expect(visit).toBeDefined();
    expect(await visitOf(path, visit)).toBeUndefined();
    expect(await visitOf(path, `${visit}x`)).toBeDefined();
  },
);

test.each(["/auth", "/auth?mode=sign-up", "/nowhere"])("%s begins no visit", async (path) => {
  expect(await visitOf(path)).toBeUndefined();
});
