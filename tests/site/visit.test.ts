import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#tests/support/site.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

/** The visit that an answer begins, as its browser sends it back; undefined if it begins none. */
async function visitOf(path: string, cookie = ""): Promise<string | undefined> {
  const { headers } = await fetch(site.url + path, { headers: { Cookie: cookie } });
  return headers
    .getSetCookie()
    .find((header) => header.startsWith("visit="))
    ?.split(";")[0];
}

// One page is kept ready, the others are rendered; the last is for scripts.
test.each(["/", "/?fbclid=x", "//", "/_.data"])(
  "%s begins a visit, and another tab goes on with it",
  async (path) => {
    const visit = await visitOf(path);
    expect(visit).toBeDefined();
    expect(await visitOf(path, visit)).toBeUndefined();
    expect(await visitOf(path, `${visit}x`)).toBeDefined();
  },
);

test.each(["/auth", "/auth?mode=sign-up", "/nowhere"])("%s begins none", async (path) => {
  expect(await visitOf(path)).toBeUndefined();
});
