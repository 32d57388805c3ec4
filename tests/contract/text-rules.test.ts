import { afterAll, expect, test } from "vitest";
import { plainLine } from "#app/lib/plain-text.ts";
import { messageSchema } from "#app/models/message.ts";
import { newAddress } from "#tests/support/address.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { valuesOf } from "#tests/support/values.ts";

const database = await startTestDatabase();
afterAll(() => database.close());

const good = { name: "نورة", email: "noura@example.com", message: "أريد صفحة" };
const marks = (count: number) => `س${"\u0651".repeat(count)}`;

/** Whether the table accepts a visitor's message that is sent without the form. */
async function tableTakes(message: typeof good): Promise<boolean> {
  const inserted = database.sql.begin(async (sql) => {
    // From a random address: the limit of messages is not tested here.
    const headers = JSON.stringify({ "x-forwarded-for": newAddress() });
    await sql`select set_config('request.headers', ${headers}, true)`;
    await sql`set local role anon`;
    await sql`insert into public.contact_messages ${valuesOf(message)}`;
  });
  const code = await inserted.then(
    () => undefined,
    (error: { code?: string }) => error.code ?? "none",
  );
  expect([undefined, "23514"]).toContain(code);
  return code === undefined;
}

const refused: [string, Partial<typeof good>][] = [
  ["a name of a Hangul filler", { name: "\u3164" }],
  ["a name of tags", { name: "\u{E0041}\u{E0042}" }],
  ["a name of a line separator", { name: "\u2028" }],
  ["a name of a mark", { name: "\u0301" }],
  ["a message of a mark", { message: "\u0651" }],
];
const taken: [string, Partial<typeof good>][] = [
  ["a letter under marks as many as fit", { name: marks(99), message: marks(4_999) }],
  ["vowelled Arabic", { message: "بِسْمِ ٱللَّٰهِ ٱلرَّحْمَٰنِ ٱلرَّحِيمِ" }],
  ["an emoji of several parts", { name: "\u{1F469}\u200D\u{1F4BB}\uFE0F" }],
  ["a filler beside a letter", { name: "ㄱ\u3164" }],
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

test("both sides agree about every character of Unicode", async () => {
  const rows = await database.sql<{ code: number; isVisible: boolean }>`
    select code, private.is_visible(chr(code)) as "isVisible"
    from generate_series(1, 1114111) as code where code not between 55296 and 57343`;
  const differences = rows.filter(
    ({ code, isVisible }) => isVisible !== (plainLine(String.fromCodePoint(code)) !== ""),
  );
  expect(differences).toEqual([]);
});
