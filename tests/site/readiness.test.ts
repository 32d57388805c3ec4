import { afterAll, beforeAll, expect, test } from "vitest";
import { owner as content } from "#app/content/owner.ts";
import { placeholdersIn } from "#app/content/placeholders.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";
import { signedUp } from "#tests/support/visitor.ts";

const origin = "https://your.site";
const placeholders = placeholdersIn(content);
const ofContent = {
  name: "app/content/owner.ts has the placeholder name, which visitors read",
  phone: "app/content/owner.ts has the placeholder phone: visitors write to a stranger",
  address:
    "app/content/owner.ts has the placeholder address: what visitors mail there reaches nobody",
  works: "app/content/owner.ts has placeholder works or services, which lead to example.com",
};
const panel = "موقعك منشور، ولم يكتمل بعد";

let site: RunningSite;
beforeAll(async () => {
  site = await startSite({ SITE_URL: origin });
});
afterAll(() => site?.stop());

test("a live start warns of each thing that it lacks, by name", () => {
  const warnings = site.linesWith("This live site is not ready: ");
  expect(warnings.map((line) => /not ready: (.*)$/.exec(line)?.[1])).toEqual([
    ...placeholders.map((field) => ofContent[field]),
    "SMTP_URL is not set: mails are written to files; nobody gets them",
    "BACKUP_DIR is not set: no backups are made",
    "neither SMTP_URL nor NOTIFICATION_URL is set: nothing tells you of new messages",
  ]);
  expect(warnings.every((line) => line.includes(" warn "))).toBe(true);
});

test("the board says the same to its owner alone, without scripts", async () => {
  const owner = await signedUp(site, undefined, origin);
  expect((await owner.get("/admin")).text).not.toContain(panel);
  expect((await owner.post("/admin/claim", { code: site.claimCode() })).status).toBe(302);
  const { text } = await owner.get("/admin");
  const [, list = ""] = new RegExp(`${panel}</summary>(.*?)</details>`, "s").exec(text) ?? [];
  expect(list.match(/<li>/g)).toHaveLength(placeholders.length + 2);
  expect(list).toContain("تُكتب في ملفات، ولا تصل إلى أحد");
  expect(list).toContain("لا تُحفظ نسخ احتياطية من رسائلك");
  expect(text).toContain("لا تصلك تنبيهات بالرسائل الجديدة");
  const other = await signedUp(site, undefined, origin);
  expect((await other.get("/admin")).text).not.toContain(panel);
});

test("a site on this machine warns of nothing, and its board is quiet", async () => {
  const local = await startSite();
  const owner = await signedUp(local);
  await owner.post("/admin/claim", { code: local.claimCode() });
  expect((await owner.get("/admin")).text).not.toContain(panel);
  await local.stop();
  expect(local.output()).not.toContain("not ready: ");
});
