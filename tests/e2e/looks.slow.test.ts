import { notice } from "#tests/support/browser/account.ts";
import { openMessage, press, useBoard } from "#tests/support/browser/board.ts";
import { expectLooks, type Look } from "#tests/support/browser/looks.ts";
import {
  expect,
  liveBadge,
  newMessage,
  postMessages,
  signUp,
  test,
  useOwnSite,
} from "#tests/support/browser/test.ts";
import { storeMessages } from "#tests/support/messages.ts";

test.describe("rare states", () => {
  const board = useBoard();

  const rare: Look[] = [
    ["a search that is refused", "/admin?q=س"],
    ["a search without results", "/admin?q=قنفذ"],
    ["a box to be emptied", "/admin/empty?box=spam"],
    ["a box that cannot be", "/admin/empty?box=x"],
    ["an open message of the spam", "/admin?box=spam", (page) => openMessage(page, "مزعج")],
    ["an unknown message", "/admin?open=11111111-1111-4111-8111-111111111111"],
    [
      "a live message, a failed action and a failed load",
      "/admin",
      async (page) => {
        await expect(liveBadge(page)).toBeVisible();
        await postMessages(page.request, board.site, [newMessage()]);
        await expect(notice(page, "رسالة جديدة!")).toBeVisible();
        await page.route(/admin\.data/, (route) => route.abort());
        await press(page, "نورة", "أرشفة");
        await expect(page.getByRole("alert").filter({ hasText: "انقطع الاتصال" })).toBeVisible();
      },
    ],
    [
      "a board without sockets",
      "/admin",
      async (page) => {
        await page.unroute(/admin\.data/);
        await page.routeWebSocket("**/admin/live", (socket) => socket.close());
        await page.reload();
        await expect(page.getByText("التحديث الفوري متوقف الآن")).toBeVisible();
      },
    ],
    [
      "counts",
      "/account",
      (page) => page.getByRole("region", { name: "عدّ الزيارات" }).getByText("يومًا بيوم").click(),
    ],
  ];

  test("axe finds nothing in rare states of the board", async () => {
    await board.store(["نورة", "سعد"]);
    await storeMessages(board.site.dataDir, [
      { name: "مزعج", email: "a@example.com", message: "نص", spam_signs: ["links"] },
    ]);
    await expectLooks(await board.open({ viewport: { width: 1280, height: 2000 } }), rare);
  });
});

test.describe("a new site", () => {
  const site = useOwnSite();

  test("axe finds nothing on the first board and on the claim", async ({ page }) => {
    await signUp(page);
    await expectLooks(page, [
      ["an empty inbox", "/admin"],
      ["the claim", site.claimPath()],
    ]);
  });
});
