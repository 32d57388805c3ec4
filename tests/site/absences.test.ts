import { afterEach, expect, test } from "vitest";
import { namedDay } from "#app/models/absences.server.ts";
import { fileDate } from "#app/models/date.server.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { signedUp, Visitor } from "#tests/support/visitor.ts";

const { site, owner, sql } = useClaimedSite();
afterEach(async () => {
  await sql("delete from private.absences");
  await owner.get("/account");
});

/** A day of the owner's, so many days after today. */
const day = (count: number) => fileDate(new Date(Date.now() + count * 86_400_000));
const named = (count: number) => namedDay(day(count));

const add = (first: string, last: string, by: Visitor = owner) =>
  by.post("/account", { action: "add-absence", first, last });
const stored = async () => {
  const rows = await sql(
    "select first_day::text as first, last_day::text as last from private.absences order by 1",
  );
  return rows.map(({ first, last }) => [first, last]);
};
const page = async () => (await new Visitor(site).get("/")).text;
const visible = (html: string) => html.replaceAll(/<script.*?<\/script>/gs, "");

test("an absence is on the page at once, and off it when it is ended", async () => {
  expect(await page()).not.toContain("غائب");
  const answer = await add(day(0), day(2));
  expect([answer.status, answer.headers.location]).toEqual([302, "/account#absences"]);
  const account = visible((await owner.get("/account")).text);
  expect(account).toContain("سُجّل غيابك");
  expect(account).toContain(`من ${named(0)} ${"٢٠٢"}`);
  expect(await page()).toContain(`غائب حتى ${named(2)}`);
  expect(await page()).not.toContain("متاح لمشاريع جديدة");

  expect((await owner.post("/account", { action: "end-absence", absence: day(0) })).status).toBe(
    302,
  );
  expect(await stored()).toEqual([]);
  expect(await page()).not.toContain("غائب");
});

test("the thanks and the receipt name the day of the answer while it has not passed", async () => {
  await add(day(0), day(20));
  const visitor = new Visitor(site);
  const sent = await visitor.post("/", {
    name: "نورة",
    email: "n@example.com",
    phone: "",
    message: "مرحبا",
  });
  const thanks = (await visitor.get(sent.headers.location ?? "")).text;
  const [, answer = ""] = /وأرد على بريدك ([^.<]+)\./.exec(thanks.replaceAll("<!-- -->", "")) ?? [];
  const days = Array.from({ length: 10 }, (_, index) => named(21 + index));
  expect(days).toContain(answer);
  const [, receipt = ""] = /href="(\/receipt\?t=[^"]+)"/.exec(thanks) ?? [];
  const read = async () => (await visitor.get(receipt)).text.replaceAll("<!-- -->", "");
  expect(await read()).toContain(`أرد على بريدك ${answer}`);
  await owner.post("/account", { action: "end-absence", absence: day(0) });
  expect(await read()).not.toContain("أرد على بريدك");
});

test.each([
  ["no day", "", "", ["اختر أول يوم", "اختر آخر يوم"]],
  ["no real day", "2027-02-30", "2027-13-01", ["اختر أول يوم", "اختر آخر يوم"]],
  ["a day that has passed", day(-1), day(2), ["هذا اليوم مضى"]],
  ["an end before its begin", day(3), day(2), ["آخر يوم قبل أول يوم"]],
  ["367 days", day(1), day(367), ["الغياب الواحد ٣٦٦ يومًا على الأكثر"]],
  ["more than two years", day(700), day(735), ["آخر يوم بعد سنتين من اليوم على الأكثر"]],
])(
  "%s is refused with a sentence, and the days stay in the form",
  async (_what, first, last, texts) => {
    const { status, text } = await add(first, last);
    expect(status).toBe(400);
    for (const one of texts) {
      expect(visible(text)).toContain(one);
    }
    expect(text).toContain(`name="last" value="${last}"`);
    expect(await stored()).toEqual([]);
  },
);

test("an absence that overlaps, and the twenty-first, are refused", async () => {
  await add(day(3), day(5));
  const overlap = await add(day(5), day(6));
  expect([overlap.status, visible(overlap.text)]).toEqual([
    409,
    expect.stringContaining("في هذه الأيام غياب آخر في القائمة"),
  ]);
  // With the one above, twenty.
  await sql(`
    insert into private.absences
    select day, day from generate_series(1, 19) n, lateral (select '${day(10)}'::date + 2 * n) of (day)`);
  const full = await add(day(200), day(200));
  expect([full.status, visible(full.text)]).toEqual([409, expect.stringContaining("عشرون غيابًا")]);
});

test("one that began before today ends yesterday, on the board, too", async () => {
  await sql(`insert into private.absences values ('${day(-2)}', '${day(3)}')`);
  await owner.get("/account");
  const board = (await owner.get("/admin")).text;
  expect(visible(board)).toContain(`أنت غائب حتى <!-- -->${named(3)}`);
  const ended = await owner.post("/account", {
    action: "end-absence",
    absence: day(-2),
    board: "",
  });
  expect(ended.headers.location).toBe("/admin");
  expect(await stored()).toEqual([[day(-2), day(-1)]]);
  expect(visible((await owner.get("/admin")).text)).not.toContain("أنت غائب");
});

test("only the owner sees and changes them", async () => {
  const stranger = await signedUp(site);
  expect(visible((await stranger.get("/account")).text)).not.toContain("الغياب");
  await add(day(1), day(2), stranger);
  await add(day(3), day(4));
  await stranger.post("/account", { action: "end-absence", absence: day(3) });
  expect(await stored()).toEqual([[day(3), day(4)]]);
});
