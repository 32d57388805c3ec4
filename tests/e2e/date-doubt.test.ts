import { test as claimed } from "#tests/support/browser/claimed-board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect } from "#tests/support/browser/test.ts";

claimed("the owner confirms a date that is in doubt", async ({ inbox, board, scripts }) => {
  await inbox.sql("update private.clock set trusted_at = now() - interval '3 years'");
  await board.goto("/admin");
  const question = board.getByRole("button", { name: "نعم، هذا التاريخ صحيح" });
  await expect(question).toBeVisible();
  if (scripts) {
    await expectGoodLooks(board, "a date in doubt");
  }
  await question.click();
  await expect(board.getByText("أُكّد التاريخ")).toBeVisible();
  await expect(question).toHaveCount(0);
});
