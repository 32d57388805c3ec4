import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { beforeAll, describe, expect, test } from "vitest";
import { useClaimedSite } from "#tests/support/use-site.ts";

const { site, owner, sql } = useClaimedSite();
beforeAll(async () => {
  await sql(`
    insert into public.contact_messages (name, email, message, phone) values
      ('<b>نورة</b>', 'n@example.com', 'خصم 5%_\\ على <i>الموقع</i> &amp; __proto__', '966551234567'),
      ('سارة', 's@example.com', 'لا شيء', null)`);
});

const search = (words: string, more = "&box=any") =>
  owner.get(`/admin?q=${encodeURIComponent(words)}${more}`);
const cards = (html: string) => html.match(/<article/g)?.length ?? 0;
const marks = (html: string) =>
  Array.from(html.matchAll(/<mark>(.*?)<\/mark>/g), ([, text = ""]) => text);

describe("characters that are special in patterns, pages or objects are plain text", () => {
  test.each([
    ["5%_\\", 1, ["5%_\\"]],
    ["__", 1, ["__", "__"]],
    ["__proto__", 1, ["__proto__"]],
    ["constructor", 0, []],
    ["<b>", 1, ["&lt;b&gt;"]],
    ["&amp;", 1, ["&amp;amp;"]],
    ["الم\0وقع", 1, ["الموقع"]],
    ["الموقع\uFEFF", 1, ["الموقع"]],
    ["😀😀", 0, []],
  ])("%j", async (words, count, found) => {
    const { status, text } = await search(words);
    expect([status, cards(text)]).toEqual([200, count]);
    expect(marks(text)).toEqual(found);
  });
});

test.each(["٠٥٥١٢٣٤٥٦٧", "نورة +966 5 51 23 45 67"])("the number %s is found", async (words) => {
  const { text } = await search(words);
  expect([cards(text), text.includes(`value="${words}"`)]).toEqual([1, true]);
});

test.each([
  ["س", "اكتب حرفين على الأقل للبحث"],
  ["س".repeat(101), "كلمات البحث طويلة: ١٠٠ حرف على الأكثر"],
  ["ا ب ت ث ج ح", "ابحث بخمس كلمات على الأكثر"],
  ["ءء", "اكتب للبحث حروفًا غير الهمزة والتطويل والحركات"],
])("%s is refused in place, and the text is kept", async (words, reason) => {
  const { status, text } = await search(words);
  expect(status).toBe(400);
  expect(text).toContain(reason);
  expect(text).toContain(`value="${words}"`);
  expect(cards(text)).toBe(0);
});

test("a text that is too long is cut before it is shown again", async () => {
  const { status, text } = await search("س".repeat(1000));
  expect([status, /value="س{200}"/.test(text), /س{201}/.test(text)]).toEqual([400, true, false]);
});

test("blanks are no search, an unknown box means the board, and an invalid place is ignored", async () => {
  expect((await search("  ")).text).not.toContain("إنهاء البحث");
  expect(cards((await search("الموقع", "&box=wrong")).text)).toBe(1);
  expect((await search("الموقع", "&before=x")).status).toBe(200);
});

/** Each search ends like one that exceeds the statement timeout. */
const fault = `
  alter function private.search_words rename to true_words;
  create function private.search_words(query text) returns text[] language plpgsql as $$
  begin
    raise query_canceled using message = 'canceling statement due to statement timeout';
  end $$;
  grant execute on function private.search_words to authenticated`;
const mend = `
  drop function private.search_words;
  alter function private.true_words rename to search_words`;

test("search words are in no log, not even of a search that times out, and go to no other site", async () => {
  const slow = "سلحفوت";
  await sql(fault);
  const { status, headers } = await search(slow).finally(() => sql(mend));
  expect(status).toBe(503);
  await search("قنفذ");
  await owner.get(`/admin/export?format=jsonl&q=${encodeURIComponent("قنفذ")}`);
  await owner.get(`/admin/nothing?q=${encodeURIComponent("قنفذ")}`);
  expect(headers["referrer-policy"]).toBe("strict-origin-when-cross-origin");
  await expect.poll(() => site.output()).toContain("The inbox was not searched");
  const log = site.output() + (await readFile(join(site.dataDir, "postgres.log"), "utf8"));
  for (const words of [slow, "قنفذ"]) {
    expect(log).not.toContain(words);
    expect(log).not.toContain(encodeURIComponent(words));
  }
});
