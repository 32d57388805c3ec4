import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { openApi } from "#tests/support/api.ts";
import { startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";

test("a board reports how far it was seen, and nothing else", async () => {
  const site = await startSite();
  try {
    const api = await openApi(site);
    const visitor = await signedUp(site);
    const state = async () => {
      const caller = api.as(visitor.session().access_token);
      return (await api.call(caller, "inbox_state")).json;
    };
    const seenAt = async () => (await state()).seen_at;
    expect(await seenAt()).toBeNull();
    const unknown = [
      "",
      "tomorrow",
      "2026-02-30T00:00:00Z",
      // The database cannot hold these moments.
      "0000-01-01T00:00:00Z",
      "2026-01-01T00:00:00+16:00",
      `2026-01-01T00:00:00.${"0".repeat(200)}Z`,
    ];
    for (const seen of unknown) {
      const refused = await visitor.post("/admin", { seen });
      expect(refused.status).toBe(400);
      expect(refused.text).toContain("Unexpected Application Error!");
      expect(refused.text).toContain("لم يقبل الموقع هذا الطلب.");
      const before = encodeURIComponent(`${seen}_${randomUUID()}`);
      expect((await visitor.get(`/admin?before=${before}`)).status).toBe(200);
    }
    expect(await seenAt()).toBeNull();
    const until = "2026-01-01T00:00:00.123456+00:00";
    expect((await visitor.post("/admin", { seen: until })).status).toBe(302);
    expect(await seenAt()).toBe(until);
  } finally {
    await site.stop();
  }
});
