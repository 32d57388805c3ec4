import { owner as content } from "#app/content/owner.ts";
import { placeholdersIn } from "#app/content/placeholders.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, test } from "#tests/support/browser/test.ts";
import { signedUp } from "#tests/support/visitor.ts";

test("what a live site lacks is one closed line above the messages @once", async ({
  context,
  page,
  start,
}) => {
  const origin = "https://your.site";
  const site = await start({ SITE_URL: origin });
  const owner = await signedUp(site, undefined, origin);
  await owner.post("/admin/claim", { code: site.claimCode() });
  const cookies = Array.from(owner.cookies, ([name, value]) => ({ name, value, url: origin }));
  await context.addCookies(cookies);
  // As its proxy would.
  await context.route(`${origin}/**`, async (route) => {
    const response = await route.fetch({ url: route.request().url().replace(origin, site.url) });
    await route.fulfill({ response });
  });
  await page.goto(`${origin}/admin`);
  const panel = page.getByRole("group").filter({ hasText: "موقعك منشور، ولم يكتمل بعد" });
  await expect(panel.getByRole("list")).toBeHidden();
  await panel.getByText("موقعك منشور").press("Enter");
  await expect(panel.getByRole("listitem")).toHaveCount(placeholdersIn(content).length + 2);
  await expectGoodLooks(page, "the open panel");
  // The page asks whether the site is there, also while the site stops.
  await context.unrouteAll({ behavior: "ignoreErrors" });
});
