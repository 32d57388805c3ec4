import type { Page } from "playwright/test";
import { card, cookiesOf, expectOpen, pane, rowLink } from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { claimedSite, type ClaimedSite } from "#tests/support/claimed-site.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { type Content, ownedProject } from "#tests/support/owned-site.ts";

const hourMs = 60 * 60 * 1000;

/** Where it is noon, so that no test runs over midnight. Etc/GMT-3 is three hours ahead. */
function noonZone(): string {
  const ahead = 12 - new Date().getUTCHours();
  return `Etc/GMT${ahead > 0 ? "-" : "+"}${Math.abs(ahead)}`;
}

/** At work all day: each point of a star is an hour. */
const promised: Content = {
  timeZone: noonZone(),
  answerTime: "خلال يوم عمل",
  promise: {
    hours: 8,
    days: ["sun", "mon", "tue", "wed", "thu", "fri", "sat"],
    from: "00:00",
    to: "23:59",
  },
};

// One worker, because the first start builds the pages for all.
test.describe.configure({ mode: "default" });
let project: Awaited<ReturnType<typeof ownedProject>>;
let owned: ClaimedSite;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  project = await ownedProject();
  owned = await start(promised);
});
test.afterAll(async () => {
  await owned.site.stop();
  await project.remove();
});

async function start(content: Content): Promise<ClaimedSite> {
  const { claim, ...claimed } = claimedSite(await project.start(content));
  await claim();
  return claimed;
}

async function store(hoursAgo: Record<string, number>, more: object = {}) {
  await deleteMessages(owned.site.dataDir);
  for (const [name, hours] of Object.entries(hoursAgo)) {
    const created = new Date(Date.now() - hours * hourMs);
    const text = { name, email: "visitor@example.com", message: `السلام عليكم\nرسالة ${name}` };
    await storeMessages(owned.site.dataDir, [{ ...text, created_at: created, ...more }]);
  }
}

const day = { نورة: 0.5, سعد: 3.5, ليلى: 7.5, ريم: 10, هدى: 30 };

async function open(page: Page, path = "/admin", { site, owner }: ClaimedSite = owned) {
  await page.context().addCookies(cookiesOf({ site, owner }));
  await page.goto(`${site.url}${path}`);
}

const star = (page: Page, name: string) => card(page, name).locator(".star");

test("each message that waits says until when, and loses a point with every eighth", async ({
  page,
}) => {
  await store(day);
  await open(page);
  for (const [name, lit, said] of [
    ["نورة", 8, /^الرد اليوم قبل [٠-٩:]+ م$/],
    ["سعد", 5, /^الرد اليوم قبل [٠-٩:]+ م$/],
    ["ليلى", 1, /^الرد اليوم قبل [٠-٩:]+ م$/],
    ["ريم", 0, /^متأخرة منذ [٠-٩:]+ ص$/],
    ["هدى", 0, /^متأخرة منذ أمس$/],
  ] as const) {
    await expect(rowLink(page, name)).toHaveAccessibleDescription(said);
    const points = await star(page, name).evaluate((element) =>
      element.hasAttribute("data-late")
        ? 0
        : Number(getComputedStyle(element).getPropertyValue("--n")),
    );
    expect([name, points]).toEqual([name, lit]);
  }
});

test("an answered, archived, marked or deleted message has no star", async ({ page }) => {
  const now = new Date();
  for (const [box, state] of [
    ["all", { answered_at: now }],
    ["archived", { archived_at: now }],
    ["spam", { spam_signs: ["links"] }],
    ["trash", { deleted_at: now }],
  ] as const) {
    await store({ نورة: 30 }, state);
    await open(page, `/admin?box=${box}`);
    await expect(card(page, "نورة")).toBeVisible();
    await expect(page.getByRole("article").locator(".star")).toHaveCount(0);
    await expect(page.getByRole("link", { name: /وعدك اليوم/ })).toHaveCount(0);
  }
});

test("the first line counts whom the owner owes an answer today, and opens the day", async ({
  page,
}) => {
  await page.setViewportSize({ width: 360, height: 780 });
  await store(day);
  await open(page);
  const line = page.getByRole("link", { name: /وعدك اليوم/ });
  await expect(line).toHaveText("وعدك اليوم: ٥ ردود · متأخران");
  await expect(line.locator("[data-late]")).toHaveCount(1);
  expect((await page.getByRole("article").first().boundingBox())?.y).toBeLessThanOrEqual(205);
  await line.click();
  await expect(page).toHaveURL(/open=today/);
  await expect(pane(page).getByRole("heading", { name: "وعدك اليوم" })).toBeVisible();
  const names = pane(page)
    .getByRole("listitem")
    .getByRole("link", { name: /^(هدى|ريم|ليلى|سعد|نورة)$/ });
  await expect(names).toHaveText(["هدى", "ريم", "ليلى", "سعد", "نورة"]);
  await expect(pane(page)).toContainText(/أمس [٠-٩:]+ م/);
  await expect(pane(page)).toContainText(/الآن ١٢(:[٠-٩]+)? م/);
  await expect(pane(page)).not.toContainText("خارج ساعات عملك");
  await expect(pane(page)).toContainText("وعدتَ زوارك بالرد «خلال يوم عمل»");
  await expectGoodLooks(page, "the day on a phone");
  await names.nth(1).click();
  await expectOpen(page, "ريم");
  await expect(pane(page)).toContainText(/متأخرة منذ [٠-٩:]+ ص/);
});

test("of many late messages the newest are shown, and how many there are", async ({ page }) => {
  await store(
    Object.fromEntries(Array.from({ length: 10 }, (_, index) => [`ز${index}`, 10 + index])),
  );
  await open(page, "/admin?open=today");
  await expect(pane(page).getByText("و٧ متأخرة قبلها")).toBeVisible();
  await expect(pane(page).getByRole("listitem").getByRole("link", { name: /^ز\d$/ })).toHaveText([
    "ز2",
    "ز1",
    "ز0",
  ]);
});

test("with nobody waiting the day says so", async ({ page }) => {
  await store({ نورة: 1 }, { answered_at: new Date() });
  await open(page, "/admin?open=today");
  await expect(pane(page).getByText("لا أحد ينتظر ردك")).toBeVisible();
});

test("an open board shows the next point going out @scripts", async ({ page }) => {
  await store({ نورة: 0.5 });
  await page.clock.install();
  await open(page);
  await expect(liveBadge(page)).toBeVisible();
  const points = () =>
    star(page, "نورة").evaluate((element) => getComputedStyle(element).getPropertyValue("--n"));
  expect(await points()).toBe("8");
  // In place of the half hour that the browser waits.
  await owned.sql("update public.contact_messages set created_at = created_at - interval '1 hour'");
  await page.clock.runFor("29:00");
  expect(await points()).toBe("8");
  await page.clock.runFor("02:00");
  // A slow site is asked again after a rest.
  await expect.poll(() => page.clock.runFor(1000).then(points)).toBe("7");
});

test("without a promise there is no star, no line and no day", async ({ page }) => {
  const plain = await start({ promise: null });
  const row = { name: "نورة", email: "a@example.com", message: "نص", created_at: new Date(0) };
  await storeMessages(plain.site.dataDir, [row]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "/admin", plain);
  await expect(card(page, "نورة")).toBeVisible();
  await expect(page.locator(".star")).toHaveCount(0);
  await expect(page.getByText("وعدك اليوم")).toHaveCount(0);
  await expect(page.getByText("اختر رسالة لقراءتها هنا")).toBeVisible();
  await plain.site.stop();
});
