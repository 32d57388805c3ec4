import { randomUUID } from "node:crypto";
import { describe, expect, onTestFinished, test } from "vitest";
import { startMs, startSite } from "#tests/support/site.ts";
import { useApi, useOwnSite } from "#tests/support/use-site.ts";
import { Visitor, newCredentials, signedUp } from "#tests/support/visitor.ts";

const site = useOwnSite();
const api = useApi(site);
const message = { name: "زائرة", email: "a@example.com", message: "لا يقرؤها إلا صاحب الموقع" };

describe("the claim", () => {
  test("shows its code to signed-in visitors only, and returns after the sign-in", async () => {
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
    // A page of another account, whose tab has not heard of this one.
    const form = { account: randomUUID(), code: site.claimCode() };
    const refused = await visitor.post("/admin/claim", form);
    expect(refused.status).toBe(409);
    expect(refused.text).toContain("دخلت بحساب آخر بعد فتح هذه الصفحة");
  });

  test(
    "needs the code of the last start, as typed by hand, and succeeds for one of four at once",
    async () => {
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
    },
    startMs,
  );

  test("is over where the owner has another address than SITE_OWNER_EMAIL, as the start says", async () => {
    await site.end("SIGTERM");
    const late = await startSite({
      SITE_OWNER_EMAIL: "owner@example.com",
      DATA_DIR: site.dataDir,
    });
    onTestFinished(() => late.stop());
    await expect.poll(() => late.output()).toContain("whose address is not SITE_OWNER_EMAIL");
    expect(late.output()).not.toMatch(/claim\?code|The inbox has no owner/);
  });
});
