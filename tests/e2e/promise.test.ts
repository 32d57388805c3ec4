import type { Page } from "playwright/test";
import {
  action,
  card,
  cookiesOf,
  expectOpen,
  openMessage,
  rowLink,
} from "#tests/support/browser/board.ts";
import { expectGoodLooks } from "#tests/support/browser/looks.ts";
import { hourMs, promised } from "#tests/support/browser/promised.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { claimedSite, type ClaimedSite } from "#tests/support/claimed-site.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { type Content, ownedProject } from "#tests/support/owned-site.ts";

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

const line = (page: Page) => page.locator("#now");
const toLine = (page: Page) => page.getByRole("link", { name: /الخط|خط الوعد/ });
const itemOfLine = (page: Page) => page.getByRole("listitem").filter({ has: line(page) });

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
    await expect(line(page)).toHaveCount(0);
    await expect(toLine(page)).toHaveCount(0);
  }
});

test("the line stands above the first late message, and its link leads there", async ({ page }) => {
  for (const width of [360, 1440]) {
    await page.setViewportSize({ width, height: 780 });
    await store(day);
    await open(page);
    await expect(itemOfLine(page).getByRole("heading")).toHaveText("ريم");
    await expect(line(page)).toHaveText("الآن. تحته رسالتان متأخرتان");
    // The words of the deadline are for the eyes only where they are near.
    for (const name of Object.keys(day)) {
      const words = card(page, name)
        .locator("p span span")
        .getByText(/قبل|منذ/);
      const isHidden = await words.evaluate((element) => element.closest(".sr-only") !== null);
      expect([name, isHidden]).toEqual([name, !["ليلى", "ريم"].includes(name)]);
    }
    await expectGoodLooks(page, `the line at ${width} px`);
    await expect(toLine(page)).toHaveText("خط الوعد: اثنان تحته");
    await toLine(page).click();
    await expect(line(page)).toBeInViewport();
    await expect(rowLink(page, "ريم")).toBeFocused();
    await rowLink(page, "نورة").press("g");
    await expect(rowLink(page, "ريم")).toBeFocused();
  }
});

test("with nobody late it ends the list, green, and counts old debts apart", async ({ page }) => {
  await store({ نورة: 0.5, سعد: 3.5 });
  await open(page);
  await expect(itemOfLine(page).getByRole("heading")).toHaveText("سعد");
  await expect(line(page)).toHaveText("لا أحد تحت الخط");
  await expect(toLine(page)).toHaveText("لا أحد تحت الخط");
  await store({ نورة: 0.5, سعد: 24 * 9, هدى: 24 * 20 });
  await open(page, "/admin?box=waiting");
  await expect(itemOfLine(page).getByRole("heading")).toHaveText("سعد");
  await expect(line(page)).toHaveText("لا أحد تحت الخط · ٢ من قبل");
  await expect(star(page, "هدى")).toHaveAttribute("data-old");
  await store({ نورة: 0.5, ريم: 10, هدى: 24 * 20 });
  await open(page);
  await expect(toLine(page)).toHaveText("خط الوعد: واحد تحته · ١ من قبل");
});

test("a line on another page is one press away, and no search has one", async ({ page }) => {
  await store({
    ...Object.fromEntries(Array.from({ length: 55 }, (_, at) => [`ز${at}`, at / 60])),
    ريم: 10,
  });
  await open(page);
  await expect(line(page)).toHaveCount(0);
  await toLine(page).click();
  await expect(page).toHaveURL(/box=waiting&before=.*#now$/);
  await expect(page.getByRole("article")).toHaveCount(1);
  await expect(itemOfLine(page).getByRole("heading")).toHaveText("ريم");
  await expect(rowLink(page, "ريم")).toBeFocused();
  await open(page, "/admin?q=رسالة");
  await expect(card(page, "ز0")).toBeVisible();
  await expect(line(page).or(toLine(page))).toHaveCount(0);
});

test("«تم الرد» opens the next message that waits, first downwards", async ({ page }) => {
  await store({ نورة: 0.5, ليلى: 7.5, ريم: 10 });
  const answered = { name: "سعد", email: "a@example.com", message: "نص", answered_at: new Date() };
  const created = new Date(Date.now() - 9 * hourMs);
  await storeMessages(owned.site.dataDir, [{ ...answered, created_at: created }]);
  await open(page);
  await openMessage(page, "ليلى");
  for (const next of ["ريم", "نورة"]) {
    await action(page, "تم الرد").press("Enter");
    await expectOpen(page, next);
  }
  await action(page, "تم الرد").press("Enter");
  await expect(page.getByText("اختر رسالة لقراءتها هنا")).toBeVisible();
});

test("an open board shows the next point going out @scripts", async ({ page }) => {
  await store({ نورة: 0.5 });
  await page.clock.install();
  await open(page);
  await expect(liveBadge(page)).toBeVisible();
  const points = () =>
    star(page, "نورة").evaluate((element) => getComputedStyle(element).getPropertyValue("--n"));
  await page.clock.runFor("29:00");
  expect(await points()).toBe("8");
  // In place of the half hour that the browser waits.
  await owned.sql("update public.contact_messages set created_at = created_at - interval '1 hour'");
  await page.clock.runFor("02:00");
  // A slow site is asked again after a rest.
  await expect.poll(() => page.clock.runFor(1000).then(points)).toBe("7");
});

test("without a promise there is no star and no line", async ({ page }) => {
  const plain = await start({ promise: null });
  const row = { name: "نورة", email: "a@example.com", message: "نص", created_at: new Date(0) };
  await storeMessages(plain.site.dataDir, [row]);
  await page.setViewportSize({ width: 1440, height: 900 });
  await open(page, "/admin", plain);
  await expect(card(page, "نورة")).toBeVisible();
  await expect(page.locator(".star")).toHaveCount(0);
  await expect(line(page).or(toLine(page))).toHaveCount(0);
  await expect(page.getByText("اختر رسالة لقراءتها هنا")).toBeVisible();
  await plain.site.stop();
});
