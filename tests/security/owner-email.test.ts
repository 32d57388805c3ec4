import { describe, expect } from "vitest";
import type { Api } from "#tests/support/api.ts";
import { confirm } from "#tests/support/confirm-mail.ts";
import { test } from "#tests/support/site-test.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

const owner = { email: "owner@example.com", password: "the owner's own" };
const attacker = { email: owner.email, password: "the attacker's" };
const message = { name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" };

async function reads(api: Api, credentials: typeof owner): Promise<boolean> {
  const token = await api.signIn(credentials).catch(() => undefined);
  if (token === undefined) {
    return false;
  }
  return (await api.namesFor(api.as(token))).length > 0;
}

describe("SITE_OWNER_EMAIL", () => {
  const reserved = { CONFIRM_EMAIL: "true", SITE_OWNER_EMAIL: owner.email };

  test("makes the account that confirms the address the owner, also with a new password, and nobody before", async ({
    start,
  }) => {
    const { site, api } = await start(reserved);
    await api.store(message);
    const other = newCredentials();
    for (const credentials of [owner, other]) {
      await new Visitor(site).post("/auth?mode=sign-up", credentials);
    }
    await confirm(site, other.email);
    expect([await reads(api, owner), await reads(api, other)]).toEqual([false, false]);
    const visitor = await confirm(site, owner.email);
    expect([await reads(api, owner), await reads(api, other)]).toEqual([true, false]);
    const password = "the owner's next one";
    const token = api.as(visitor.session().access_token);
    expect((await api.send(token, "PUT", "/auth/v1/user", { password })).status).toBe(200);
    expect(await reads(api, { ...owner, password })).toBe(true);
    const made = await api.call(api.service, "new_claim_code");
    expect(made.json).toBe(null);
    expect((await api.tryClaim(await api.signIn(other), "")).json).toBe(false);
    await site.restart("SIGTERM");
    expect(site.output()).not.toMatch(/The inbox/);
  });

  test("logs that somebody else claimed the inbox before", async ({ start }) => {
    const { site } = await start();
    await (await signedUp(site)).post("/admin/claim", { code: site.claimCode() });
    await site.end("SIGTERM");
    const { site: late } = await start({ ...reserved, DATA_DIR: site.dataDir });
    expect(late.output()).toContain("whose address is not SITE_OWNER_EMAIL's");
  });

  test("does not count for an account that signed up first with the address", async ({ start }) => {
    const { site, api } = await start(reserved);
    await api.store(message);
    await new Visitor(site).post("/auth?mode=sign-up", attacker);
    expect(await reads(api, attacker)).toBe(false);
    // One mail per minute: the owner follows the first one's link.
    await new Visitor(site).post("/auth?mode=sign-up", owner);
    const visitor = await confirm(site, owner.email);
    expect((await visitor.get("/admin")).text).toContain(message.message);
    expect(await reads(api, attacker)).toBe(false);
  });
});
