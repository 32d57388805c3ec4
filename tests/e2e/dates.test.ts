import {
  cardOf,
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
  test,
} from "#tests/support/browser/test.ts";

test("only the server formats dates, also those of live messages", async ({
  page,
  request,
  site,
  scripts,
}) => {
  await page.addInitScript(() => {
    Object.defineProperty(Intl.DateTimeFormat.prototype, "format", {
      value: () => "in the browser",
    });
  });
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await signUp(page);
  if (scripts) {
    await expect(liveBadge(page)).toBeVisible();
  }
  const text = newMessage();
  expect(await postMessages(request, site, [text])).toEqual([302]);
  if (!scripts) {
    await page.reload();
  }
  const date = cardOf(page, text).getByRole("time");
  await expect(date).toHaveText(/^[\u0660-\u0669]{1,2} .+ [\u0660-\u0669]{4} .+[صم]$/);
  const shown = await date.innerText();
  await page.reload();
  await expect(date).toHaveText(shown);
  await page.goto("/account");
  await expect(page.getByRole("time").first()).toHaveText(/[\u0660-\u0669]{4}/);
  expect(faults).toEqual([]);
});
