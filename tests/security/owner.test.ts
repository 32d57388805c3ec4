import { describe, expect } from "vitest";
import type { Api } from "#tests/support/api.ts";
import { confirm } from "#tests/support/confirm-mail.ts";
import { test } from "#tests/support/site-test.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

const message = { name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" };

const owner = { email: "owner@example.com", password: "the owner's own" };
// It turns CONFIRM_EMAIL on.
const reserved = { SITE_OWNER_EMAIL: owner.email };

describe("the claim", () => {
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

  test("needs the code of the last start, as typed by hand, and succeeds for one of four at once", async ({
    site,
    api,
    start,
  }) => {
    const visitors = [];
    for (let count = 0; count < 4; count += 1) {
      visitors.push(await signedUp(site));
    }
    const [stranger] = visitors as [(typeof visitors)[0]];
    const old = site.claimCode();
    for (const code of ["", "00000-00000-00000-00000", `${old}0`, old.slice(0, -1)]) {
      const answer = await stranger.post("/admin/claim", { code });
      expect([code, answer.status]).toEqual([code, 400]);
      expect(answer.text).toMatch(code === "" ? "اكتب الرمز" : "الرمز غير صحيح");
    }
    await site.restart("SIGTERM");
    await expect.poll(() => site.output()).toContain("The inbox has no owner.");
    expect(site.output()).not.toContain("Make your account");
    expect((await api.tryClaim(stranger.session().access_token, old)).json).toBe(false);

    await api.store(message);
    const code = site.claimCode();
    const typed = ` ${code.replaceAll("-", " ").toUpperCase()} `;
    const claims = await Promise.all(
      visitors.map((visitor, index) =>
        index % 2
          ? api.tryClaim(visitor.session().access_token, code)
          : visitor.post("/admin/claim", { code: typed }),
      ),
    );
    expect(claims.filter(({ status }) => status >= 500)).toEqual([]);
    const boards = await Promise.all(visitors.map((visitor) => visitor.get("/admin")));
    const owns = boards.map(({ text }) => text.includes(message.message));
    expect(owns.filter(Boolean)).toHaveLength(1);
    // Again it is true for the owner alone.
    for (const [index, visitor] of visitors.entries()) {
      const { json } = await api.tryClaim(visitor.session().access_token, code);
      expect([index, json]).toEqual([index, owns[index]]);
    }
    await site.end("SIGTERM");
    const late = await start({ ...reserved, DATA_DIR: site.dataDir });
    await expect
      .poll(() => late.site.output())
      .toContain("whose address is not SITE_OWNER_EMAIL's");
    expect(late.site.output()).not.toMatch(/claim\?code|The inbox has no owner/);
  });
});

async function reads(api: Api, credentials: typeof owner): Promise<boolean> {
  const token = await api.signIn(credentials).catch(() => undefined);
  if (token === undefined) {
    return false;
  }
  return (await api.namesFor(api.as(token))).length > 0;
}

describe("SITE_OWNER_EMAIL", () => {
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
  });
});
