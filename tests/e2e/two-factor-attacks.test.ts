import { newAddress } from "#tests/support/address.ts";
import { setUpFactor, signIn, signOut } from "#tests/support/browser/account.ts";
import { expect, newMessage, postMessages, signUp, test } from "#tests/support/browser/test.ts";

test.slow();

test("a stolen password alone reads no page @once", async ({ page, browser, site }) => {
  const account = await signUp(page);
  await setUpFactor(page, account.password);
  const text = newMessage();
  expect(await postMessages(page.request, site, [text])).toEqual([302]);
  await page.goto("/admin");
  await expect(page.getByRole("heading", { name: text.name })).toBeVisible();

  const context = await browser.newContext({ baseURL: site.url });
  const thief = await context.newPage();
  await signIn(thief, account);
  for (const path of ["/admin", "/account", "/account/password", "/account/email"]) {
    await thief.goto(path);
    await expect(thief).toHaveURL(`${site.url}/auth/code?next=${encodeURIComponent(path)}`);
  }
  await context.close();
});

for (const field of ["code", "recovery"] as const) {
  test(`wrong codes at the code step are limited: ${field} @once`, async ({ page, site }) => {
    const account = await signUp(page);
    await setUpFactor(page, account.password);
    await signOut(page);
    await signIn(page, account);
    const statuses: number[] = [];
    // Codes of the app are counted by account; recovery codes, which are long, by address.
    const address = newAddress();
    for (let index = 0; index < 20; index += 1) {
      const answer = await page.request.post("/auth/code", {
        form: { [field]: "000000" },
        headers: {
          Origin: site.url,
          "X-Forwarded-For": field === "code" ? newAddress() : address,
        },
        maxRedirects: 0,
      });
      statuses.push(answer.status());
      if (answer.status() !== 429) {
        continue;
      }
      expect(await answer.text()).toContain("محاولات كثيرة");
    }
    expect(statuses[0]).toBe(422);
    expect(statuses.at(-1)).toBe(429);
  });
}
