import { beforeAll, expect, test } from "vitest";
import { clockTime } from "#app/models/date.server.ts";
import { fieldNames } from "#app/models/message-fields.server.ts";
import { download } from "#tests/support/download.ts";
import { readWorkbook } from "#tests/support/read-workbook.ts";
import { useClaimedSite } from "#tests/support/use-site.ts";
import { setUpFactor } from "#tests/support/visitor-factor.ts";
import { ask, signedUp, Visitor } from "#tests/support/visitor.ts";

const messages = 2100;
const oneByOne = ["=1+1", "+1", "-1", "@x", "＝1", "＋1", "－1", "＠x"];

const { site, owner, sql } = useClaimedSite();
beforeAll(async () => {
  // Each box has some, with characters that XML and JSON must quote.
  await sql(`
    insert into public.contact_messages
      (name, email, message, note, phone, created_at, spam_signs, archived_at, answered_at, deleted_at)
    select
      (array['${oneByOne.join("','")}', 'نورة "الأولى"', 'a,b;c', '😀'])[1 + n % 11], 'c' || n % 100 || '@example.com',
      'سطر' || n || e'\\n"ثانٍ"\\t' || repeat('كلام ', n % 200) || '\\',
      case when n % 5 = 0 then '=cmd|''/C calc''!A0' end, case when n % 3 = 0 then '9665512' || 30000 + n end,
      now() - (n / 3) * interval '1 second', case when n % 4 = 0 then array['trap', 'links'] end,
      case when n % 6 = 1 then now() end, case when n % 6 = 3 then now() end,
      case when n % 7 = 0 then now() end
    from generate_series(1, ${messages}) n`);
});

const columns = [
  "created_at",
  ...fieldNames,
  "note",
  "answered_at",
  "archived_at",
  "deleted_at",
  "expired_at",
  "spam_signs",
  "spam_at",
  "accepted_signs",
  "id",
] as const;
type Row = Record<string, string | string[] | null>;

/** The rows of the database, in the order of an export. */
async function stored(condition: string): Promise<Row[]> {
  const rows = await sql(`
    select to_jsonb(m) - '{restored_at,last_change,state,search_text}'::text[] as row
    from public.contact_messages m where ${condition} order by created_at desc, id desc`);
  return rows.map(({ row }) => row);
}

const workbookType = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet";
const inBoard = "spam_signs is null and archived_at is null and deleted_at is null";

test("JSON lines have every message of every box as in the database, in order", async () => {
  const file = await download(site, owner, "/admin/export?box=any&format=jsonl");
  const rows = await stored("true");
  expect(rows).toHaveLength(messages);
  const names = Object.keys(JSON.parse(file.text.slice(0, file.text.indexOf("\n"))));
  expect(names.toSorted()).toEqual(Object.keys(rows[0] ?? {}).toSorted());
  const expected = rows.map((row) => JSON.stringify(row, names));
  expectLines(file.text, expected.map((line) => `${line}\n`).join(""));
});

test("the workbook has the same messages: times as times, and all else as text", async () => {
  const { file, headers } = await download(site, owner, "/admin/export?format=xlsx");
  expect(headers["content-type"]).toBe(workbookType);
  const [headings, ...read] = readWorkbook(file).rows;
  expect(headings?.slice(0, 2).map((cell) => cell?.value)).toEqual(["التاريخ", "الاسم"]);
  const rows = await stored(inBoard);
  expect(rows.length).toBeGreaterThan(1000);
  expect(read).toHaveLength(rows.length);
  for (const [index, row] of rows.entries()) {
    expect(columns.map((_, column) => read[index]?.[column])).toEqual(
      columns.map((column) => cellOf(column, row[column] ?? null)),
    );
  }
});

/** What a spreadsheet has to read. Excel counts a time in days since 1899-12-30. */
function cellOf(column: string, value: Row[string]) {
  if (value === null || value === undefined) {
    return undefined;
  }
  const text = Array.isArray(value) ? value.join(" ") : value;
  return column.endsWith("_at")
    ? { type: undefined, value: `${clockTime(text).getTime() / 86_400_000 + 25_569}` }
    : { type: "s", value: column === "phone" ? `+${text}` : text };
}

test.each([
  ["waiting", `${inBoard} and answered_at is null`],
  ["archived", "spam_signs is null and archived_at is not null and deleted_at is null"],
  ["spam", "spam_signs is not null and deleted_at is null"],
  ["trash", "deleted_at is not null"],
])("an export of the box %s has only that box", async (box, condition) => {
  const { text } = await download(site, owner, `/admin/export?box=${box}&format=jsonl`);
  expect(idsIn(text)).toEqual((await stored(condition)).map(({ id }) => id));
});

test("a search for an address exports one person's messages of all boxes", async () => {
  const path = "/admin/export?box=any&q=c42@example.com&format=jsonl";
  const { text, headers } = await download(site, owner, path);
  const ids = (await stored("email = 'c42@example.com'")).map(({ id }) => id);
  expect(ids).toHaveLength(messages / 100);
  expect(idsIn(text)).toEqual(ids);
  expect(headers["content-disposition"]).not.toContain("c42");
});

test("the file is named by its box and day in Arabic, and is not cached", async () => {
  const { headers } = await download(site, owner, "/admin/export?box=trash&format=xlsx");
  const day = new Intl.DateTimeFormat("en-CA", { timeZone: "Asia/Riyadh" }).format(new Date());
  const name = encodeURIComponent(`المهملات-${day}.xlsx`);
  expect(headers).toMatchObject({
    "content-disposition": `attachment; filename="trash-${day}.xlsx"; filename*=UTF-8''${name}`,
    "cache-control": "private, no-store",
    "x-content-type-options": "nosniff",
    "x-accel-buffering": "no",
    "transfer-encoding": "chunked",
  });
  expect(headers).not.toHaveProperty("content-encoding");
});

test("HEAD returns only the headers, and a page's data request returns nothing", async () => {
  const head = await ask(site, "HEAD", "/admin/export?format=xlsx", {
    headers: { Cookie: owner.cookieHeader() },
  });
  expect([head.status, head.text, head.headers["content-type"]]).toEqual([200, "", workbookType]);
  const data = await owner.get("/admin/export.data?format=xlsx");
  expect([data.status, data.text.length < 1000]).toEqual([404, true]);
});

test("a search without results exports a file without messages", async () => {
  const { status, text } = await download(site, owner, "/admin/export?q=قنفذ&format=jsonl");
  expect([status, text]).toEqual([200, ""]);
});

const asked = "/admin/export?box=spam&q=word&format=xlsx";
const board = encodeURIComponent("/admin?q=word&box=spam");

test("an export accepts only GET, and refuses unknown formats and boxes", async () => {
  expect((await owner.post(asked)).status).toBe(405);
  for (const [query, text] of [
    ["?format=xml", "صيغة الملف غير معروفة"],
    ["", "صيغة الملف غير معروفة"],
    ["?format=csv", "صيغة الملف غير معروفة"],
    ["?format=__proto__", "صيغة الملف غير معروفة"],
    ["?format=xlsx&box=inbox", "هذا الصندوق غير معروف"],
    ["?format=xlsx&box=constructor", "هذا الصندوق غير معروف"],
  ] as const) {
    const answer = await owner.get(`/admin/export${query}`);
    expect([answer.status, answer.text]).toEqual([400, text]);
    expect(answer.headers["content-type"]).toBe("text/plain; charset=utf-8");
  }
  const noSearch = await owner.get("/admin/export?format=xlsx&q=x");
  expect([noSearch.status, noSearch.headers.location]).toEqual([302, "/admin?q=x"]);
});

async function locationOf(visitor: Visitor) {
  const { status, headers } = await visitor.get(asked);
  return headers.location ?? status;
}

test("an export has the board's access checks, and redirects to the board", async () => {
  expect(await locationOf(new Visitor(site))).toBe(`/auth?next=${board}`);
  expect([await locationOf(owner), await locationOf(await signedUp(site))]).toEqual([
    200,
    "/admin",
  ]);
  await setUpFactor(owner, owner.credentials.password);
  expect(await locationOf(owner)).toBe(200);
  const thief = new Visitor(site);
  await thief.post("/auth", owner.credentials);
  expect(await locationOf(thief)).toBe(`/auth/code?next=${board}`);
});

test("a box with more messages than a workbook holds leads back, and the board says how to have them", async () => {
  await sql(`
    insert into public.contact_messages (name, email, message)
    select 'نورة', 'many@example.com', n::text from generate_series(1, 10001) n`);
  const many = "q=many@example.com&box=any";
  const whole = await owner.get(`/admin/export?${many}&format=xlsx`);
  expect([whole.status, whole.headers.location]).toEqual([
    302,
    `/admin?q=many%40example.com&box=any`,
  ]);
  expect((await owner.get("/admin")).text).toContain("هنا أكثر من ١٠٬٠٠٠ رسالة");
  await sql("delete from public.contact_messages where message = '10001'");
  const { file } = await download(site, owner, `/admin/export?${many}&format=xlsx`);
  expect(readWorkbook(file).rows).toHaveLength(10_001);
});

/** Compares without printing megabytes of difference. */
function expectLines(text: string, expected: string) {
  const lines = text.split("\n");
  const wanted = expected.split("\n");
  const place = wanted.findIndex((line, index) => line !== lines[index]);
  expect(lines[place]).toBe(wanted[place]);
  expect(text === expected).toBe(true);
}

const idsIn = (text: string) =>
  text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line).id);
