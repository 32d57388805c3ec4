import { afterAll, expect, test } from "vitest";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { leaveMessage } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = await startTestServer();
afterAll(() => server.close());

const fourLinks = "متاجري: https://a.example https://b.example www.c.example http://d.example";
const greeting = "السلام عليكم، أريد صفحة هبوط لمتجري";

let sent = 0;
interface Row {
  email: string;
  message: string;
  phone?: string;
  spam_signs?: string[];
}

/** An unused address of a visitor. */
function newAddress(): string {
  sent += 1;
  return `10.1.${sent >> 8}.${sent & 255}`;
}

/** Leaves a message as a visitor, by default with an address of their own, with the form's fields. */
const tryLeave = (row: object, address: string | null = newAddress()) =>
  leaveMessage(server, { name: "زائر", phone: null, ...row }, address);

/** Returns the id that the visitor gets. */
async function leave(row: Row, address?: string | null): Promise<string | null> {
  const { id, status, wait_seconds: wait } = await tryLeave(row, address);
  expect([status, wait]).toEqual([200, null]);
  return id;
}

/** The signs of each message of a sender, in the order of their arrival. */
const storedSigns = (email: string) =>
  withSuperuser(server.dataDir, async (sql) => {
    const rows = await sql<{ spam_signs: string[] | null }>`
      select spam_signs from public.contact_messages where email = ${email} order by created_at`;
    return rows.map((row) => row.spam_signs);
  });

/** Inserts a message of a new sender. Returns the stored signs. */
async function signsOf(message: string, signs?: string[]): Promise<string[] | null | undefined> {
  const email = `sender-${sent}@example.com`;
  await leave({ email, message, ...(signs && { spam_signs: signs }) });
  return (await storedSigns(email))[0];
}

test.each([
  ["sent within seconds", "رسالة عادية 1", ["haste"]],
  ["sent without cookies", "رسالة عادية 2", ["unseen"]],
  ["with four links", fourLinks, undefined],
  ["without a sign", "رسالة عادية 3", []],
])("a message %s is no spam", async (_name, message, signs) => {
  expect(await signsOf(message, signs)).toBe(null);
});

test("another person's greeting is not spam, and short texts never count as repeats", async () => {
  expect(await signsOf(greeting)).toBe(null);
  expect(await signsOf(greeting)).toBe(null);
  expect(await signsOf("مرحبا", ["unseen"])).toBe(null);
  expect(await signsOf("مرحبا", ["unseen"])).toBe(null);
});

test("a browser without cookies adds nothing to a common greeting, nor to links", async () => {
  const common = "السلام عليكم ورحمة الله وبركاته";
  expect(await signsOf(common)).toBe(null);
  expect(await signsOf(common, ["unseen"])).toBe(null);
  expect(await signsOf(`${fourLinks} 2`, ["unseen"])).toBe(null);
  expect(await signsOf(`${fourLinks} 2`, ["unseen"])).toEqual(["unseen", "links", "repeat"]);
});

test("a filled trap is enough for spam, other signs count only together", async () => {
  expect(await signsOf("رسالة عادية 4", ["trap"])).toEqual(["trap"]);
  expect(await signsOf(`${fourLinks} 1`, ["haste"])).toEqual(["haste", "links"]);
  expect(await signsOf(`${greeting}!`)).toBe(null);
  expect(await signsOf(`${greeting}!`, ["haste"])).toEqual(["haste", "repeat"]);
  expect(await signsOf(`${fourLinks} 1`)).toEqual(["links", "repeat"]);
});

test("a copy in the spam that came first does not drop the genuine message", async () => {
  const copied = { email: "copied@example.com", message: `${greeting}، وهذا عرضي` };
  await leave({ ...copied, spam_signs: ["trap"] });
  const address = newAddress();
  await leave(copied, address);
  await leave(copied, address);
  expect(await storedSigns(copied.email)).toEqual([["trap"], null]);
});

test("a copy from another address drops nothing, whichever comes first", async () => {
  const copied = { email: "twice@example.com", message: `${greeting}، وهذا طلبي` };
  const [thief, sender] = [newAddress(), newAddress()];
  for (const address of [thief, sender, thief, sender]) {
    await leave(copied, address);
  }
  expect(await storedSigns(copied.email)).toEqual([null, null]);
});

test("what differs in any field is another message, and only its sender gets its id", async () => {
  const row = { email: "told@example.com", message: `${greeting} الآن` };
  const phone = "966501234567";
  const [sender, other] = [newAddress(), newAddress()];
  const id = await leave(row, sender);
  const withPhone = await leave({ ...row, phone }, sender);
  expect(new Set([id, withPhone, null]).size).toBe(3);
  expect(await leave({ ...row, phone }, sender)).toBe(withPhone);
  expect(await leave(row, sender)).toBe(id);
  const theirs = await leave({ ...row, phone }, other);
  expect([id, withPhone, null]).not.toContain(theirs);
  // This is the state after a crash, which forgets who sent it.
  await withSuperuser(server.dataDir, (sql) => sql`truncate private.attempts`);
  expect(await leave({ ...row, phone }, sender)).toBeNull();
  expect(await storedSigns(row.email)).toHaveLength(3);
});

test("what an address sends beyond its day's number is spam, and of that only so much is stored", async () => {
  const email = "flood@example.com";
  const address = newAddress();
  // Of the sixty messages of the address, and of the thousand that are stored beyond.
  await withSuperuser(
    server.dataDir,
    (sql) => sql`
      insert into private.attempts (name, subject, points, expires_at) values
        ('message-day', ${address}, 57, now() + interval '1 hour'),
        ('flood', 'all', 998, now() + interval '1 hour')`,
  );
  const isStored = [];
  for (let number = 0; number < 7; number += 1) {
    isStored.push((await tryLeave({ email, message: `رسالة ${number}` }, address)).id !== null);
  }
  expect(isStored).toEqual([true, true, true, true, true, false, false]);
  expect(await storedSigns(email)).toEqual([null, null, null, ["flood"], ["flood"]]);
  // Other addresses are not affected.
  await leave({ email, message: "رسالة غيره" });
});

/** Makes the messages of a sender so old, and the records of who sent any message. */
const setAge = (email: string, age: string) =>
  withSuperuser(server.dataDir, (sql) =>
    sql.script(`update public.contact_messages set created_at = now() - interval '${age}'
      where email = '${email}';
      update private.attempts set expires_at = expires_at - interval '${age}' where name = 'sent'`),
  );

test.each([
  ["9 minutes 50 seconds", 1],
  ["10 minutes 1 second", 2],
])("of a message that is sent again %s later, %i are stored", async (age, stored) => {
  const repeated = { email: `repeated-${stored}@example.com`, message: `${greeting} ${age}` };
  const address = newAddress();
  const first = await leave(repeated, address);
  await setAge(repeated.email, age);
  expect((await leave(repeated, address)) === first).toBe(stored === 1);
  expect(await storedSigns(repeated.email)).toHaveLength(stored);
});

test.each([
  ["23 hours 59 minutes", ["haste", "repeat"]],
  ["24 hours 1 minute", null],
])("a text of %s ago has as a copy the signs %j", async (age, signs) => {
  const text = `${greeting} قبل ${age}`;
  const email = `first-${age.length}@example.com`;
  await leave({ email, message: text });
  await setAge(email, age);
  expect(await signsOf(text, ["haste"])).toEqual(signs);
});

test("a sender can only add to the signs that the table finds", async () => {
  expect(await signsOf(`${fourLinks} 3`)).toBe(null);
  expect(await signsOf(`${fourLinks} 3`, [])).toEqual(["links", "repeat"]);
  expect(await signsOf("رسالة عادية 5", ["links", "repeat"])).toEqual(["links", "repeat"]);
});

test.each([
  { signs: ["known", "friend"] },
  { signs: [null, null] },
  { signs: Array.from({ length: 6 }, () => "trap") },
  { signs: [["trap"], ["links"]] },
])("$signs are no signs", async ({ signs }) => {
  const message = JSON.stringify(signs);
  const row = { email: "a@example.com", message, spam_signs: signs };
  expect((await tryLeave(row)).status).toBe(400);
});

test("nothing is spam without a sign", async () => {
  await leave({ email: "no-sign@example.com", message: "رسالة عادية 6" });
  const mark = withSuperuser(
    server.dataDir,
    (sql) => sql`update public.contact_messages set spam_signs = '{}'`,
  );
  await expect(mark).rejects.toMatchObject({ code: "23514" });
});
