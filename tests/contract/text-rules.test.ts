import { afterAll, beforeAll, expect, test } from "vitest";
import { hasPiledMarks, plainLine } from "#app/lib/plain-text.ts";
import { messageSchema } from "#app/models/message.ts";
import { newAddress } from "#tests/support/address.ts";
import { startTestDatabase, type TestDatabase } from "#tests/support/database.ts";

let database: TestDatabase;
beforeAll(async () => {
  database = await startTestDatabase();
});
afterAll(() => database?.close());

const good = { name: "نورة", email: "noura@example.com", message: "أريد صفحة" };
const marks = (count: number) => `س${"\u0651".repeat(count)}`;

/** Whether the table accepts a visitor's message that is sent without the form. */
async function tableTakes(message: typeof good): Promise<boolean> {
  const inserted = database.sql.begin(async (sql) => {
    // From a random address: the limit of messages is not tested here.
    const headers = JSON.stringify({ "x-forwarded-for": newAddress() });
    await sql`select set_config('request.headers', ${headers}, true)`;
    await sql`set local role anon`;
    await sql`insert into public.contact_messages ${sql(message)}`;
  });
  const code = await inserted.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? "none",
  );
  expect([undefined, "23514"]).toContain(code);
  return code === undefined;
}

const refused: [string, Partial<typeof good>][] = [
  ["4,000 marks on a letter of the message", { message: marks(4_000) }],
  ["99 marks on a letter of the name", { name: marks(99) }],
  ["31 marks", { message: `ا ${marks(31)} ب` }],
  ["31 marks of a script beyond the first plane", { message: `a${"\u{1E8D0}".repeat(31)}` }],
  ["31 marks in the address", { email: `a${"\u0301".repeat(31)}@example.com` }],
  ["a name of a Hangul filler", { name: "\u3164" }],
  ["a name of a halfwidth filler", { name: "\uFFA0" }],
  ["a name of an empty Braille pattern", { name: "\u2800" }],
  ["a name of tags", { name: "\u{E0041}\u{E0042}" }],
  ["a name of a line separator", { name: "\u2028" }],
  ["a name of a variation selector", { name: "\u{E0100}" }],
  ["a name of private characters", { name: "\uE000" }],
  ["a name of a mark", { name: "\u0301" }],
  ["a message of a mark", { message: "\u0651" }],
  ["a message of fillers", { message: "\u3164\u3164" }],
];
const taken: [string, Partial<typeof good>][] = [
  ["thirty marks", { name: marks(30), message: marks(30) }],
  ["vowelled Arabic", { message: "بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ" }],
  ["an emoji of several parts", { name: "\u{1F469}\u200D\u{1F4BB}\uFE0F" }],
  ["a filler beside a letter", { name: "ㄱ\u3164" }],
  ["an Indian name", { name: "क्षत्रिय" }],
  ["a digit", { name: "٧", message: "7" }],
  ["a line separator in a message", { message: "a\u2028b" }],
  ["marks that are taken apart", { message: "\u0344".repeat(15) + "a" }],
];

test.each(refused)("%s: both the form and the table refuse it", async (_, fields) => {
  const message = { ...good, ...fields };
  expect(messageSchema.safeParse(message).success).toBe(false);
  expect(await tableTakes(message)).toBe(false);
});

test.each(taken)("%s: the table accepts the text that the form cleans", async (_, fields) => {
  expect(await tableTakes(messageSchema.parse({ ...good, ...fields }))).toBe(true);
});

test("the form turns a line separator in a name into a space, and the table refuses it", async () => {
  const message = { ...good, name: "نورة\u2028سعد" };
  expect(messageSchema.parse(message).name).toBe("نورة سعد");
  expect(await tableTakes(message)).toBe(false);
});

test("marks that pile up only when decomposed are refused", () => {
  const message = { ...good, message: `a${"\u0344".repeat(16)}` };
  expect(messageSchema.safeParse(message).success).toBe(false);
});

test("both sides agree about every character of Unicode", async () => {
  const [row] = await database.sql<{ shown: number[]; marks: number[] }[]>`
    select
      array_agg(code) filter (where private.shows(chr(code))) as shown,
      array_agg(code) filter (where private.has_piled_marks(repeat(chr(code), 31))) as marks
    from generate_series(1, 1114111) as code where code not between 55296 and 57343`;
  const [shown, piled] = [new Set(row?.shown), new Set(row?.marks)];
  const differences: string[] = [];
  for (let code = 1; code <= 0x10ffff; code += 1) {
    const letter = String.fromCodePoint(code);
    // An unassigned character may be a letter in a newer PostgreSQL or Node.
    if (/[\p{Cn}\p{Cs}]/u.test(letter)) {
      continue;
    }
    if (
      shown.has(code) !== (plainLine(letter) !== "") ||
      piled.has(code) !== hasPiledMarks(letter.repeat(31))
    ) {
      differences.push(code.toString(16));
    }
  }
  expect(differences).toEqual([]);
});

test("a message older than the rules can be restored and sorted", async () => {
  const message = { ...good, message: marks(40) };
  const [old] = await database.sql<{ id: string }[]>`
    insert into public.contact_messages ${database.sql(message)} returning id`;
  const sorted = await database.sql`
    update public.contact_messages set spam_signs = '{trap}' where id = ${old?.id ?? ""}`;
  expect(sorted.count).toBe(1);
});
