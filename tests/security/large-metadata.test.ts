import { afterAll, beforeAll, expect, test } from "vitest";
import { storeMetadata } from "#tests/support/account-metadata.ts";
import { longestHeaders } from "#tests/support/header-bytes.ts";
import { pages } from "#tests/support/routes.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite();
});
afterAll(() => site?.stop());

test("metadata of the largest size does not lock an account out", async () => {
  const { credentials } = await signedUp(site);
  await storeMetadata(site.dataDir, credentials.email, { note: "x".repeat(100_000) });

  const visitor = new Visitor(site);
  expect((await visitor.post("/auth", credentials)).status).toBe(302);
  expect(visitor.session().access_token.length).toBeLessThan(1_500);
  expect((await visitor.post("/admin/claim", { code: site.claimCode() })).status).toBe(302);
  for (const { path } of pages.filter((page) => page.path !== "/sign-out")) {
    const { status, headerBytes } = await visitor.get(path);
    expect([path, status < 400 || status === 404]).toEqual([path, true]);
    expect(headerBytes).toBeLessThan(longestHeaders);
  }
  expect((await visitor.post("/sign-out")).status).toBe(302);
});
