import { decodeJwt } from "jose";
import { expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { longestHeaders } from "#tests/support/header-bytes.ts";
import { actions, pages } from "#tests/support/routes.ts";
import { startSite } from "#tests/support/site.ts";
import { ask, signedUp, Visitor } from "#tests/support/visitor.ts";
import { longestCredentials, wholeVisit } from "#tests/support/whole-visit.ts";

// A proxy's buffer is 4 KiB by default. The helpers fail on longer headers, here and elsewhere.
test("no answer's headers are too long for a proxy, whatever the account and its state", async () => {
  const origin = "https://a-rather-long-name-of-a-site.example";
  const site = await startSite({ SITE_URL: origin });
  try {
    await wholeVisit(site, origin);
    const { credentials } = await signedUp(site, longestCredentials(), origin);
    const api = await openApi(site);
    const caller = api.as(await api.signIn(credentials));
    // Beside the address and the like, about the most that a token takes over.
    const data = { note: "x".repeat(110) };
    expect((await api.send(caller, "PUT", "/auth/v1/user", { data })).status).toBe(200);
    const described = new Visitor(site, origin);
    expect((await described.post("/auth", credentials)).status).toBe(302);
    expect(decodeJwt(described.session().access_token)["user_metadata"]).toMatchObject(data);
    const visitors = [
      described,
      new Visitor(site, origin),
      await signedUp(site, longestCredentials(), origin),
    ];
    for (const visitor of visitors) {
      for (const { path } of pages) {
        await visitor.get(path);
        await visitor.get(`${path.split("?")[0]}.data`);
      }
      for (const { path, form } of actions) {
        await visitor.post(path, form);
        await visitor.post(path, form, { Origin: "https://evil.example" });
      }
    }
    for (const path of ["/rest/v1/contact_messages", "/auth/v1/user", "/auth/v1/settings"]) {
      expect((await ask(site, "GET", path)).headerBytes).toBeLessThan(longestHeaders);
    }
  } finally {
    await site.stop();
  }
}, 120_000);
