import { expect, leaveMessage, newMessage, signUp, test } from "#tests/support/browser/test.ts";
import { startOutside } from "#tests/support/outside.ts";

test("the same build works with an outside Supabase: account, message, live inbox @scripts", async ({
  browser,
  start,
}) => {
  const { supabase, env } = await startOutside();
  const site = await start(env);
  const inbox = await browser.newPage({ baseURL: site.url });
  await signUp(inbox);
  await inbox.goto("/admin");
  await expect(inbox.getByText("مباشر", { exact: true })).toBeVisible();

  const text = newMessage();
  await leaveMessage(await browser.newContext({ baseURL: site.url }), text);
  await expect(inbox.getByRole("heading", { name: text.name })).toHaveCount(1);
  await site.stop();
  await supabase.close();
});
