import { notice } from "#tests/support/browser/account.ts";
import {
  action,
  bar,
  card,
  openMessage,
  pane,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import { expect, liveBadge, test } from "#tests/support/browser/test.ts";
import { deleteMessages, storeMessages } from "#tests/support/messages.ts";

const board = useBoard();

test("in two panes a long Latin name is cut at its end @once @layout", async () => {
  const name = "Zoë Alexandra O'Brien-Łukasz of the Greater Riyadh Chamber of Commerce";
  await board.store([name]);
  const page = await board.open({ viewport: { width: 1024, height: 900 } });
  const heading = card(page, name).getByRole("heading");
  const [firstLetter, box] = await heading.evaluate((element) => {
    const [text] = element.querySelector("a")?.childNodes ?? [];
    const range = document.createRange();
    range.setStart(text ?? element, 0);
    range.setEnd(text ?? element, 1);
    return [range.getBoundingClientRect().left, element.getBoundingClientRect().left];
  });
  expect(firstLetter).toBeGreaterThanOrEqual(box ?? 0);
});

test("a toast covers no link of the rail @scripts", async () => {
  for (const width of [1344, 1440, 2560]) {
    await board.store(["نورة"]);
    const page = await board.open({ viewport: { width, height: 900 } });
    await expect(liveBadge(page)).toBeVisible();
    const row = { name: "سعد", email: "saad@example.com", message: "سلام" };
    await storeMessages(board.site.dataDir, [row]);
    const toast = await notice(page, "رسالة جديدة!").boundingBox();
    const rail = await page.getByRole("banner").boundingBox();
    expect((toast?.x ?? 0) + (toast?.width ?? 0)).toBeLessThan(rail?.x ?? 0);
    await page.context().close();
  }
});

for (const viewport of [
  { width: 360, height: 740 },
  { width: 390, height: 500 },
  { width: 768, height: 1024 },
]) {
  test(`in one column of ${viewport.width} px nothing covers an action of the last message @scripts`, async () => {
    const names = ["نورة", "سعد", "ليلى"];
    await board.store(names);
    const page = await board.open({ viewport });
    await expect(liveBadge(page)).toBeVisible();
    await openMessage(page, "ليلى");
    await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await action(page, "تم الرد").press("Enter");
    await expect(notice(page, "تم الرد على رسالة واحدة")).toBeVisible();
    const buttons = await pane(page)
      .getByRole("group", { name: "إجراءات الرسالة" })
      .getByRole("button")
      .all();
    expect(buttons).toHaveLength(4);
    const covered = async () => {
      const found: string[] = [];
      for (const button of buttons) {
        await button.scrollIntoViewIfNeeded();
        found.push(
          await button.evaluate((element) => {
            const { left, right, top, bottom } = element.getBoundingClientRect();
            const hit = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
            return element.contains(hit) ? "" : (hit?.outerHTML ?? "nothing").slice(0, 100);
          }),
        );
      }
      return found.join("");
    };
    expect(await covered()).toBe("");
    // A toast rises above the notice.
    const row = { name: "ريم", email: "reem@example.com", message: "سلام" };
    await storeMessages(board.site.dataDir, [row]);
    await expect(notice(page, "رسالة جديدة!")).toBeVisible();
    expect(await covered()).toBe("");
    const toastEnds = async () => {
      const toast = await notice(page, "رسالة جديدة!").boundingBox();
      return (toast?.y ?? 0) + (toast?.height ?? 0);
    };
    const said = await notice(page, "تم الرد على رسالة واحدة").boundingBox();
    await expect.poll(toastEnds).toBeLessThanOrEqual(said?.y ?? 0);
    // A refusal stands in the same place.
    await page.goto(`/admin?open=${new URL(page.url()).searchParams.get("open")}`);
    await page.route(/\.data/, (route) =>
      route.request().method() === "POST" ? route.abort() : route.continue(),
    );
    await expect(liveBadge(page).or(page.getByRole("banner"))).not.toHaveCount(0);
    await page.waitForLoadState("networkidle");
    await action(page, "أرشفة").press("Enter");
    await expect(notice(page, "انقطع الاتصال بالموقع")).toBeVisible();
    expect(await covered()).toBe("");
  });
}

test("brackets after a Latin word stand where their line is read, whatever the line before @once", async () => {
  const name = "ليلى";
  await deleteMessages(board.site.dataDir);
  const message = "We need a page\nنحتاج PostgreSQL (نسخة 18).";
  await storeMessages(board.site.dataDir, [{ name, email: "layla@example.com", message }]);
  const page = await board.open();
  await openMessage(page, name);
  for (const part of [card(page, name), pane(page)]) {
    const leftOf = (letter: string) =>
      part.getByText("We need a page").evaluate((element, wanted) => {
        const content = [...element.childNodes].findLast((node) => node.nodeType === 3) as Text;
        const at = content.data.indexOf(wanted);
        const range = document.createRange();
        range.setStart(content, at);
        range.setEnd(content, at + 1);
        return range.getBoundingClientRect().left;
      }, letter);
    expect(await leftOf("(")).toBeLessThan(await leftOf("P"));
  }
});

test("the bar shows how many messages are chosen", async () => {
  await board.store(["نورة", "سعد", "ليلى"]);
  for (const width of [360, 1440]) {
    const page = await board.open({ viewport: { width, height: 900 } });
    await select(page);
    const pictures = [];
    for (const name of ["نورة", "سعد", "ليلى"]) {
      const { x = 0, y = 0, height = 0, width: wide = 0 } = (await bar(page).boundingBox()) ?? {};
      const circle = { x: x + wide - 50, y, width: 50, height };
      pictures.push(await page.screenshot({ clip: circle }));
      await page.getByRole("checkbox", { name: `تحديد رسالة ${name}` }).check();
    }
    expect(new Set(pictures.map((picture) => picture.toString("base64"))).size).toBe(3);
    await page.context().close();
  }
});

test("on a phone the fixed actions cover nothing that has the focus @scripts", async () => {
  await board.store(["نورة"], { phone: "966501234567" });
  for (const viewport of [
    { width: 360, height: 640 },
    { width: 768, height: 640 },
  ]) {
    const page = await board.open({ viewport });
    await expect(liveBadge(page)).toBeVisible();
    await openMessage(page, "نورة");
    const covered: string[] = [];
    const inPane = () => page.evaluate(() => document.activeElement?.closest("aside") !== null);
    for (await page.keyboard.press("Tab"); await inPane(); await page.keyboard.press("Tab")) {
      covered.push(
        await page.evaluate(() => {
          const focused = document.activeElement as HTMLElement;
          const { left, top, width, height } = focused.getBoundingClientRect();
          const isSeen = [0.25, 0.75].every((share) =>
            focused.contains(document.elementFromPoint(left + width / 2, top + height * share)),
          );
          return isSeen ? "" : focused.outerHTML.slice(0, 100);
        }),
      );
    }
    expect(covered.length).toBeGreaterThan(10);
    expect(covered.filter((text) => text !== "")).toEqual([]);
    await page.context().close();
  }
});
