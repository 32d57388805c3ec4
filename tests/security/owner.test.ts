import { describe, expect } from "vitest";
import { test } from "#tests/support/site-test.ts";
import { newCredentials, signedUp, Visitor } from "#tests/support/visitor.ts";

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
  }, 60_000);

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

  test("is limited", async ({ site, api }) => {
    const stranger = await signedUp(site);
    const tries: number[] = [];
    for (let count = 0; count < 12; count += 1) {
      tries.push((await stranger.post("/admin/claim", { code: `${count}`.repeat(20) })).status);
    }
    expect(tries).toEqual([...Array.from({ length: 10 }, () => 400), 429, 429]);
    const direct = await api.tryClaim(
      stranger.session().access_token,
      site.claimCode(),
      stranger.address,
    );
    expect(direct.status).toBe(429);
    const claimer = await signedUp(site);
    expect((await claimer.post("/admin/claim", { code: site.claimCode() })).status).toBe(302);
  });
});
