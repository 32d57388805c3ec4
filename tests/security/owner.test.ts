import { describe, expect } from "vitest";
import type { Api } from "#tests/support/api.ts";
import { confirm } from "#tests/support/confirm-mail.ts";
import { test } from "#tests/support/site-test.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

const message = { name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" };

describe("the claim", () => {
  test("with the code by twenty accounts at the same moment succeeds for one", async ({
    start,
  }) => {
    const { site, api } = await start();
    const visitors = [];
    for (let count = 0; count < 20; count += 1) {
      visitors.push(await signedUp(site));
    }
    await api.store(message);
    const code = site.claimCode();
    const claims = await Promise.all(
      visitors.map((visitor, index) =>
        index % 2
          ? api.tryClaim(visitor.session().access_token, code)
          : visitor.post("/admin/claim", { code }),
      ),
    );
    expect(claims.filter(({ status }) => status >= 500)).toEqual([]);
    const boards = await Promise.all(visitors.map((visitor) => visitor.get("/admin")));
    expect(boards.filter(({ text }) => text.includes(message.message))).toHaveLength(1);
  });

  test("needs the code of the last start, which works once", async ({ start }) => {
    const { site, api } = await start();
    const stranger = await signedUp(site);
    const old = site.claimCode();
    for (const code of ["", "00000-00000-00000-00000", `${old}0`, old.slice(0, -1)]) {
      const answer = await stranger.post("/admin/claim", { code });
      expect([code, answer.status]).toEqual([code, 400]);
      expect(answer.text).toMatch(code === "" ? "اكتب الرمز" : "الرمز غير صحيح");
    }
    await site.restart("SIGTERM");
    expect((await api.tryClaim(stranger.session().access_token, old)).json).toBe(false);

    const claimer = await signedUp(site);
    // Typed by hand from a terminal.
    const typed = ` ${site.claimCode().replaceAll("-", " ").toUpperCase()} `;
    expect((await claimer.post("/admin/claim", { code: typed })).status).toBe(302);
    const code = site.claimCode();
    expect((await api.tryClaim(stranger.session().access_token, code)).json).toBe(false);
    expect((await api.tryClaim(claimer.session().access_token, code)).json).toBe(true);
    await site.restart("SIGTERM");
    expect(site.output()).not.toContain("claim");
  });

  test("shows its code to signed-in visitors only, and returns after the sign-in", async ({
    site,
  }) => {
    const visitor = new Visitor(site);
    const { headers } = await visitor.get(site.claimPath());
    const target = new URL(headers.location ?? "", site.url);
    expect([target.pathname, target.searchParams.get("next")]).toEqual(["/auth", site.claimPath()]);
    target.searchParams.set("mode", "sign-up");
    const signUp = await visitor.post(target.pathname + target.search, newCredentials());
    // A browser without any cookie first passes the check for cookies.
    const checked = await visitor.get(signUp.headers.location ?? "");
    expect(checked.headers.location).toBe(site.claimPath());
    expect((await visitor.get(site.claimPath())).text).toContain(`value="${site.claimCode()}"`);
  });
});

const owner = { email: "owner@example.com", password: "the owner's own" };

async function reads(api: Api, credentials: typeof owner): Promise<boolean> {
  const token = await api.signIn(credentials).catch(() => undefined);
  if (token === undefined) {
    return false;
  }
  return (await api.namesFor(api.as(token))).length > 0;
}

describe("SITE_OWNER_EMAIL", () => {
  // It turns CONFIRM_EMAIL on.
  const reserved = { SITE_OWNER_EMAIL: owner.email };

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
    await expect.poll(() => late.output()).toContain("whose address is not SITE_OWNER_EMAIL's");
  });
});
