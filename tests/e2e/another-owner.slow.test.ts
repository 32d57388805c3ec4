import type { Page } from "playwright/test";
import { namedDay } from "#app/models/absences.server.ts";
import { fileDate } from "#app/models/date.server.ts";
import { action, card, expectOpen, openMessage, rowLink } from "#tests/support/browser/board.ts";
import { expectComposition } from "#tests/support/browser/composition.ts";
import { cookiesOf } from "#tests/support/browser/sites.ts";
import {
  beOwner,
  expect,
  fillMessage,
  holdScripts,
  isHydrated,
  liveBadge,
  newMessage,
  sendMessage,
  test,
} from "#tests/support/browser/test.ts";
import { type ClaimedSite, claimedSite } from "#tests/support/claimed-site.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";
import { type Content, ownedProject } from "#tests/support/owned-site.ts";
import { contents } from "#tests/support/owner-lists.ts";

// One worker, because the first start builds the pages for all. So the file has a name that comes first.
test.describe.configure({ mode: "default" });
let project: Awaited<ReturnType<typeof ownedProject>>;
let owned: ClaimedSite;
test.beforeAll(async () => {
  test.setTimeout(240_000);
  project = await ownedProject();
  const { claim, ...claimed } = claimedSite(await project.start(promised));
  await claim();
  owned = claimed;
});
test.afterAll(async () => {
  await owned.site.stop();
  await project.remove();
});

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

for (const [name, content] of Object.entries(contents)) {
  const { channels, works, services } = content;
  test(`the card keeps its composition with other content: ${name}`, async ({ page }) => {
    const site = await project.start(content);
    try {
      await page.goto(site.url);
      const names = [...channels, ...works, ...services]
        .filter((entry) => !isHidden(entry))
        .map(nameOf);
      const entries = page.getByRole("article").getByRole("listitem");
      expect(await entries.allInnerTexts()).toEqual(
        names.map((text) => expect.stringContaining(text)),
      );
      const drawn = await page
        .getByRole("list", { name: "قنوات التواصل" })
        .locator("path")
        .evaluateAll((icons) => icons.map((icon) => (icon as SVGPathElement).getBBox().width));
      expect(Math.min(...drawn)).toBeGreaterThan(10);
      const html = await page.content();
      for (const hidden of [...channels, ...works, ...services].filter(isHidden)) {
        expect(html).not.toContain(nameOf(hidden));
      }
      await expectComposition(page, content);
      if (works.some(({ why }) => why)) {
        await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
        await expectComposition(page, content);
      }
    } finally {
      await site.stop();
    }
  });
}

test("the button is in view beside the works, whatever the cover has above it", async ({
  page,
}) => {
  const name = "عبد الرحمن بن عبد العزيز بن محمد الخالدي";
  const works = contents.most.works.slice(0, 7);
  const long = "abdulrahman-bin-abdulaziz-alkhalidi";
  const profiles = [
    { icon: "linkedin" as const, link: `https://www.linkedin.com/in/${long}` },
    { icon: "behance" as const, link: `https://www.behance.net/${long}` },
  ];
  const channels = contents.most.channels.map((channel, at) => ({
    ...channel,
    ...profiles[at % 2],
  }));
  const site = await project.start({ name, works, channels });
  try {
    await page.goto(site.url);
    const start = page.getByRole("link", { name: "Start Your Project Today" });
    for (const [width, height] of [
      [1280, 720],
      [1280, 800],
      [1366, 768],
      [1440, 900],
    ] as const) {
      await page.setViewportSize({ width, height });
      await expect(start, `at ${width}`).toBeInViewport({ ratio: 1 });
      // A long profile is cut in one line; the details have it whole.
      const heights = await page
        .locator(".address")
        .evaluateAll((all) => all.map((one) => one.clientHeight));
      expect(Math.max(...heights), `at ${width}`).toBeLessThan(30);
    }
    await page.getByRole("checkbox", { name: "لماذا صمّمتها هكذا؟" }).check();
    await expect(start).toBeInViewport({ ratio: 1 });
  } finally {
    await site.stop();
  }
});

const isHidden = ({ hidden }: { hidden?: boolean | undefined }) => hidden === true;
const nameOf = (entry: { name: string } | { title: string }) =>
  "name" in entry ? entry.name : entry.title;

const hourMs = 60 * 60 * 1000;
const day = (count: number) => fileDate(new Date(Date.now() + count * 24 * hourMs));

/** Messages that came so many hours ago, by their names. */
async function store(hoursAgo: Record<string, number>, more: object = {}) {
  await deleteMessages(owned.site.dataDir);
  const rows = Object.entries(hoursAgo).map(([name, hours]) => ({
    name,
    email: "visitor@example.com",
    message: `رسالة ${name}`,
    created_at: new Date(Date.now() - hours * hourMs),
    ...more,
  }));
  await storeMessages(owned.site.dataDir, rows);
}

async function open(page: Page, path = "/admin") {
  await beOwner(page, owned);
  await page.goto(`${owned.site.url}${path}`);
}

const line = (page: Page) => page.locator("#now");
const star = (page: Page, name: string) => card(page, name).locator(".star");
const pointsOf = (page: Page, name: string) =>
  star(page, name).evaluate((element) =>
    element.hasAttribute("data-late")
      ? 0
      : Number(getComputedStyle(element).getPropertyValue("--n")),
  );

test("each message that waits says until when, and loses a point with every eighth", async ({
  page,
}) => {
  await store({ نورة: 0.5, سعد: 3.5, ليلى: 7.5, ريم: 10, هدى: 30 });
  await open(page);
  for (const [name, lit, said] of [
    ["نورة", 8, /^الرد اليوم قبل [٠-٩:]+ م$/],
    ["سعد", 5, /^الرد اليوم قبل [٠-٩:]+ م$/],
    ["ليلى", 1, /^الرد اليوم قبل [٠-٩:]+ م$/],
    ["ريم", 0, /^متأخرة منذ [٠-٩:]+ ص$/],
    ["هدى", 0, /^متأخرة منذ أمس$/],
  ] as const) {
    await expect(rowLink(page, name)).toHaveAccessibleDescription(said);
    expect([name, await pointsOf(page, name)]).toEqual([name, lit]);
    // The words of the deadline are for the eyes only where they are near.
    const words = card(page, name)
      .locator("p")
      .getByText(/قبل|منذ/);
    const isQuiet = await words.evaluate((element) => element.closest(".sr-only") !== null);
    expect([name, isQuiet]).toEqual([name, !["ليلى", "ريم"].includes(name)]);
  }
  await expect(line(page)).toHaveText("الآن، تحته اثنان، تأخر الرد");
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
  }
});

test("with nobody late the line stands before old debts, and on another page it leads to its own", async ({
  page,
}) => {
  await store({ نورة: 0.5, سعد: 24 * 9, هدى: 24 * 20 });
  await open(page, "/admin?box=waiting");
  const items = page.getByRole("list", { name: "الرسائل" }).getByRole("listitem");
  await expect(items).toHaveText([/نورة/, "لا أحد تحت الخط، واثنان من قبل", /سعد/, /هدى/]);
  await expect(star(page, "هدى")).toHaveAttribute("data-old");
  const many = Object.fromEntries(Array.from({ length: 55 }, (_, at) => [`ز${at}`, at / 60]));
  await store({ ...many, ريم: 10 });
  await open(page);
  await expect(items.last()).toHaveText("الآن، تحته واحد، تأخر الرد، في صفحة أخرى");
  await expect(line(page)).toBeInViewport({ ratio: 1 });
  const link = line(page).getByRole("link");
  await link.click();
  await expect(page).toHaveURL(/box=waiting&before=.*#m-/);
  await expect(items).toHaveText(["الآن، تحته واحد، تأخر الرد", /ريم/]);
  await expect(rowLink(page, "ريم")).toBeFocused();
  await open(page, "/admin?q=رسالة");
  await expect(card(page, "ز0")).toBeVisible();
  await expect(line(page)).toHaveCount(0);
});

test("«تم الرد» opens the next message that waits, first downwards", async ({ page }) => {
  await store({ نورة: 0.5, ليلى: 7.5, سعد: 9, ريم: 10 });
  await owned.sql("update public.contact_messages set answered_at = now() where name = 'سعد'");
  await open(page);
  await openMessage(page, "ليلى");
  for (const next of ["ريم", "نورة"]) {
    await action(page, "تم الرد").press("Enter");
    await expectOpen(page, next);
  }
  await expect(line(page)).toHaveText("لا أحد تحت الخط");
  await action(page, "تم الرد").press("Enter");
  await expect(page.getByText("لا أحد ينتظر ردك.")).toBeVisible();
  await expect(line(page)).toHaveCount(0);
});

test("an open board shows the next point going out", async ({ page }) => {
  await store({ نورة: 0.5 });
  await page.clock.install();
  await open(page);
  await expect(liveBadge(page)).toBeVisible();
  await page.clock.runFor("29:00");
  expect(await pointsOf(page, "نورة")).toBe(8);
  // In place of the half hour that the browser waits.
  await owned.sql("update public.contact_messages set created_at = created_at - interval '1 hour'");
  await page.clock.runFor("02:00");
  // A slow site is asked again after a rest.
  await expect.poll(() => page.clock.runFor(1000).then(() => pointsOf(page, "نورة"))).toBe(7);
});

test("without a promise there is no star and no line, and an absence names the first day after it", async ({
  page,
}) => {
  const plain = claimedSite(await project.start({ promise: null }));
  await plain.claim();
  const row = { name: "نورة", email: "a@example.com", message: "نص", created_at: new Date(0) };
  await storeMessages(plain.site.dataDir, [row]);
  await page.context().addCookies(cookiesOf(plain));
  await page.goto(`${plain.site.url}/admin`);
  await expect(card(page, "نورة")).toBeVisible();
  await expect(page.locator(".star").or(line(page))).toHaveCount(0);

  await plain.owner.post("/account", { action: "add-absence", first: day(0), last: day(1) });
  await page.goto(`${plain.site.url}/`);
  await fillMessage(page, newMessage());
  await sendMessage(page);
  const answer = page.getByText(`أرد على بريدك ${namedDay(day(2))}.`);
  await expect(answer).toBeVisible();
  await page.getByRole("link", { name: "إيصال رسالتك" }).click();
  await expect(page).toHaveURL(/\/receipt/);
  await expect(answer).toBeVisible();
  await plain.site.stop();
});

test("a list that a developer adds keeps what was chosen, and takes the focus as a field", async ({
  page,
}) => {
  const release = await holdScripts(page);
  await page.goto(`${owned.site.url}/auth/forgot`, { waitUntil: "domcontentloaded" });
  const plan = page.getByRole("combobox", { name: "الباقة" });
  await plan.focus();
  await plan.selectOption("c");
  // React then makes all elements of the page again.
  await page.evaluate(() => document.querySelector("label")?.prepend("Translated "));
  release();
  await page.waitForFunction(isHydrated);
  await expect(plan).toHaveValue("c");
  await expect(plan).toBeFocused();
  await expect(plan).toHaveCSS("font-size", "16px");
  await page.getByLabel("البريد الإلكتروني").fill("noura@example.com");
  await page.context().setOffline(true);
  await page.getByRole("button", { name: "إرسال الرسالة" }).press("Enter");
  await expect(page.getByRole("alert")).toContainText("انقطع الاتصال");
  await expect(plan).toHaveValue("c");
  await expect(plan).toBeFocused();
});
