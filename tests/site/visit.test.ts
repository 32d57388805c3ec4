import { afterAll, beforeAll, expect, test } from "vitest";
import { type RunningSite, startSite } from "#tests/support/site.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site.stop());

/** The cookie of the visit that a response begins, undefined if it begins none. */
async function visitOf(path: string, cookie = ""): Promise<string | undefined> {
  const { headers } = await fetch(site.url + path, { headers: { Cookie: cookie } });
  return headers
    .getSetCookie()
    .find((header) => header.startsWith("visit="))
    ?.split(";")[0];
}

// The first page is prerendered, the others are rendered. The last URL is for scripts.
test.each(["/", "/?fbclid=x", "//", "/_.data"])(
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
