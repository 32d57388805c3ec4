import { namedDay } from "#app/models/absences.server.ts";
import { fileDate } from "#app/models/date.server.ts";
import { expectFit } from "#tests/support/browser/looks.ts";
import {
  beOwner,
  expect,
  fillMessage,
  newMessage,
  openLive,
  plainTest,
  test,
} from "#tests/support/browser/test.ts";

const day = (count: number) => fileDate(new Date(Date.now() + count * 86_400_000));

plainTest(
  "an owner goes away, visitors read until when, and the owner comes back",
  async ({ page: visitor, browser, owned }) => {
    const page = await browser.newPage({ baseURL: owned.site.url });
    await beOwner(page, owned);
    await page.goto("/account");
    const section = page.getByRole("region", { name: "الغياب" });
    await section.getByLabel("أول يوم").fill(day(3));
    await section.getByLabel("آخر يوم").fill(day(1));
    await section.getByRole("button", { name: "إضافة غياب" }).click();
    const last = section.getByLabel("آخر يوم");
    await expect(last).toHaveAccessibleDescription("آخر يوم قبل أول يوم");
    await expect(last).toBeFocused();
    await expect(last).toHaveValue(day(1));
    await section.getByLabel("أول يوم").fill(day(0));
    await section.getByRole("button", { name: "إضافة غياب" }).click();
    await expect(section.getByText(`إلى ${namedDay(day(1))}`)).toBeVisible();
    await expect(section.getByLabel("أول يوم")).toHaveValue("");

    await visitor.goto("/");
    await expect(visitor.getByText(`غائب حتى ${namedDay(day(1))}`)).toBeVisible();
    await expectFit(visitor);
    await fillMessage(visitor, newMessage());
    await visitor.getByRole("button", { name: "إرسال" }).click();
    await expect(visitor.getByText(/وأرد على بريدك \S+ [٠-٩]+ \S+\./)).toBeVisible();

    await page.goto("/admin");
    await expect(page.getByText(`أنت غائب حتى ${namedDay(day(1))}`)).toBeVisible();
    await expectFit(page);
    await page.getByRole("button", { name: "إنهاء الغياب" }).click();
    await expect(page.getByText("أُلغي الغياب")).toBeVisible();
    await expect(page.getByText("أنت غائب")).toHaveCount(0);
    await visitor.goto("/");
    await expect(visitor.getByText("غائب")).toHaveCount(0);
  },
);

test("an open board says by itself that an absence has begun, and no more when it has ended", async ({
  browser,
  owned,
}) => {
  const page = await browser.newPage({ baseURL: owned.site.url });
  await beOwner(page, owned);
  await openLive(page);
  const away = page.getByRole("button", { name: "إنهاء الغياب" });
  await owned.owner.post("/account", { action: "add-absence", first: day(0), last: day(1) });
  await expect(away).toBeVisible();
  await away.click();
  await expect(page.getByText("أُلغي الغياب")).toBeVisible();
  await expect(away).toHaveCount(0);
});
