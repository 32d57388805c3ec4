import { notice, startScripts } from "#tests/support/browser/account.ts";
import {
  bar,
  card,
  noteIn,
  openMessage,
  pane,
  select,
  useBoard,
} from "#tests/support/browser/board.ts";
import {
  expect,
  isHydrated,
  postMessages,
  liveBadge,
  newMessage,
  signUp,
  submitCredentials,
  test,
} from "#tests/support/browser/test.ts";
import { wrongCredentials } from "#tests/support/credentials.ts";

const board = useBoard();

/** Evaluated in the page: takes away what not every browser of vite.config.ts has (MDN). */
function removeNewer() {
  // oxlint-disable-next-line unicorn/consistent-function-scoping
  const remove = (from: object, names: string) =>
    names.split(" ").forEach((name) => Reflect.deleteProperty(from, name));
  remove(Promise, "withResolvers try");
  remove(Object, "groupBy");
  remove(Map, "groupBy");
  remove(Array, "fromAsync");
  remove(
    Set.prototype,
    "union intersection difference symmetricDifference isSubsetOf isSupersetOf isDisjointFrom",
  );
  remove(
    Object.getPrototypeOf(Object.getPrototypeOf([].values())),
    "map filter take drop flatMap reduce toArray forEach some every find",
  );
  remove(URL, "canParse parse");
  remove(URLSearchParams.prototype, "size");
  remove(AbortSignal, "any");
  remove(Response, "json");
  remove(Headers.prototype, "getSetCookie");
  remove(RegExp, "escape");
  remove(Error, "isError");
  remove(Math, "f16round sumPrecise");
  remove(Uint8Array, "fromBase64 fromHex");
  remove(Uint8Array.prototype, "toBase64 toHex setFromBase64 setFromHex");
  remove(ArrayBuffer.prototype, "transfer transferToFixedLength");
  remove(ReadableStream, "from");
  remove(ReadableStream.prototype, "values");
  Reflect.deleteProperty(ReadableStream.prototype, Symbol.asyncIterator);
  remove(Document, "parseHTMLUnsafe");
  remove(Document.prototype, "startViewTransition");
  remove(Element.prototype, "checkVisibility setHTMLUnsafe getHTML moveBefore");
  remove(HTMLElement.prototype, "popover showPopover hidePopover togglePopover");
  remove(HTMLDialogElement.prototype, "requestClose");
  remove(
    globalThis,
    "Iterator DisposableStack AsyncDisposableStack SuppressedError Float16Array Temporal URLPattern scheduler navigation requestIdleCallback cancelIdleCallback CloseWatcher cookieStore EditContext Highlight",
  );
  remove(Intl, "DurationFormat");
}

test("all works without what a supported browser may lack", async ({ page }) => {
  const faults: string[] = [];
  page.on("pageerror", (error) => faults.push(error.message));
  await page.addInitScript(removeNewer);
  await page.goto("/auth");
  await startScripts(page);
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
  await board.store(["نورة", "سعد"]);
  await expect(liveBadge(page)).toBeVisible();
  const text = newMessage();
  await postMessages(page.request, board.site, [text]);
  await expect(card(page, text.name)).toBeVisible();
  await select(page, "نورة");
  await bar(page).getByRole("button", { name: "أرشفة" }).click();
  await expect(card(page, "نورة")).toHaveCount(0);
  await openMessage(page, "سعد");
  await noteIn(page).fill("اتصل غدًا");
  await pane(page).getByRole("button", { name: "حفظ الملاحظة" }).click();
  await expect(notice(page, "حُفظت الملاحظة")).toBeVisible();

  await page.context().clearCookies();
  const { password } = await signUp(page);
  await page.goto("/account/password");
  await startScripts(page, "كلمة المرور الجديدة");
  await page.getByLabel("كلمة المرور الحالية").fill(password);
  await page.getByLabel("كلمة المرور الجديدة").fill("another good password");
  await page.getByRole("button", { name: "حفظ كلمة المرور" }).click();
  await expect(notice(page, "تغيّرت كلمة المرور")).toBeVisible();
  expect(faults).toEqual([]);
});

test("an older browser keeps the plain page, which works", async ({ page }) => {
  await page.addInitScript(() => {
    CSS.supports = () => false;
  });
  const fault = page.waitForEvent("pageerror");
  await page.goto("/auth");
  expect((await fault).message).toContain("too old");
  expect(await page.evaluate(isHydrated)).toBe(false);
  await submitCredentials(page, { ...board.account, password: "not-the-one" }, "تسجيل الدخول");
  await expect(page.getByText(wrongCredentials)).toBeVisible();
  await submitCredentials(page, board.account, "تسجيل الدخول");
  await expect(page).toHaveURL(/\/admin$/);
});
