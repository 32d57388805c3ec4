import { afterAll, expect, test } from "vitest";
import { newClient } from "#tests/support/auth-server.ts";
import { startTestServer } from "#tests/support/embedded-server.ts";
import { asRole } from "#tests/support/messages.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

const server = await startTestServer();
afterAll(() => server.close());

const fourLinks = "متاجري: https://a.example https://b.example www.c.example http://d.example";
const greeting = "السلام عليكم، أريد صفحة هبوط لمتجري";

let sent = 0;
interface Row {
  email: string;
  message: string;
  spam_signs?: string[];
}

/** An unused address of a visitor. */
function newAddress(): string {
  sent += 1;
  return `10.1.${sent >> 8}.${sent & 255}`;
}

/** Inserts a message as a visitor, by default with an address of their own. Returns the status. */
async function tryInsert(row: Row, address = newAddress()): Promise<number> {
  const { status } = await newClient(server, address)
    .from("contact_messages")
    .insert({ name: "زائر", ...row });
  return status;
}

async function insert(row: Row, address?: string) {
  expect(await tryInsert(row, address)).toBe(201);
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
  await insert({ email, message, ...(signs && { spam_signs: signs }) });
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

test("a filled trap is enough for spam, other signs count only together", async () => {
  expect(await signsOf("رسالة عادية 4", ["trap"])).toEqual(["trap"]);
  expect(await signsOf(`${fourLinks} 1`, ["haste"])).toEqual(["haste", "links"]);
  expect(await signsOf(`${fourLinks} 2`, ["unseen"])).toEqual(["unseen", "links"]);
  expect(await signsOf(`${greeting}!`, ["unseen"])).toBe(null);
  expect(await signsOf(`${greeting}!`, ["unseen"])).toEqual(["unseen", "repeat"]);
  expect(await signsOf(`${fourLinks} 1`)).toEqual(["links", "repeat"]);
});

test("a copy in the spam that came first does not drop the genuine message", async () => {
  const copied = { email: "copied@example.com", message: `${greeting}، وهذا عرضي` };
  await insert({ ...copied, spam_signs: ["trap"] });
  const address = newAddress();
  await insert(copied, address);
  await insert(copied, address);
  expect(await storedSigns(copied.email)).toEqual([["trap"], null]);
});

test("a copy from another address drops nothing, whichever comes first", async () => {
  const copied = { email: "twice@example.com", message: `${greeting}، وهذا طلبي` };
  const [thief, sender] = [newAddress(), newAddress()];
  for (const address of [thief, sender, thief, sender]) {
    await insert(copied, address);
  }
  expect(await storedSigns(copied.email)).toEqual([null, null]);
});

const limit = (name: string, points: number) =>
  withSuperuser(
    server.dataDir,
    (sql) => sql`update private.limits set points = ${points} where name = ${name}`,
  );

test("what an address sends beyond its day's number is spam, and of that only so much is stored", async () => {
  await limit("message-day", 3);
  await limit("flood", 2);
  const email = "flood@example.com";
  const address = newAddress();
  const statuses = [];
  for (let number = 0; number < 7; number += 1) {
    statuses.push(await tryInsert({ email, message: `رسالة ${number}` }, address));
  }
  expect(statuses).toEqual([201, 201, 201, 201, 201, 429, 429]);
  expect(await storedSigns(email)).toEqual([null, null, null, ["flood"], ["flood"]]);
  // Others are not concerned.
  await insert({ email, message: "رسالة غيره" });
  await limit("message-day", 60);
  await limit("flood", 1000);
});

/** How long ago the messages of a sender arrived. */
const setAge = (email: string, age: string) =>
  withSuperuser(server.dataDir, (sql) =>
    sql.script(`update public.contact_messages set created_at = now() - interval '${age}'
      where email = '${email}'`),
  );

test.each([
  ["9 minutes 50 seconds", 1],
  ["10 minutes 1 second", 2],
])("of a message that is sent again %s later, %i are stored", async (age, stored) => {
  const repeated = { email: `repeated-${stored}@example.com`, message: `${greeting} ${age}` };
  const address = newAddress();
  const sentMessage = () =>
    withSuperuser(server.dataDir, (sql) =>
      asRole(sql, { role: "service_role" }, async (site) => {
        const [row] = await site`
          select public.sent_message('زائر', ${repeated.email}, null, ${repeated.message}, ${address}) as id`;
        return row?.["id"];
      }),
    );
  await insert(repeated, address);
  await setAge(repeated.email, age);
  // The receipt of a repeat is that of the message that is there.
  expect((await sentMessage()) === null).toBe(stored === 2);
  await insert(repeated, address);
  expect(await storedSigns(repeated.email)).toHaveLength(stored);
});

test.each([
  ["23 hours 59 minutes", ["unseen", "repeat"]],
  ["24 hours 1 minute", null],
])("a text of %s ago has as a copy the signs %j", async (age, signs) => {
  const text = `${greeting} قبل ${age}`;
  const email = `first-${age.length}@example.com`;
  await insert({ email, message: text });
  await setAge(email, age);
  expect(await signsOf(text, ["unseen"])).toEqual(signs);
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
  const row = { name: "زائر", email: "a@example.com", message, spam_signs: signs };
  const { status } = await newClient(server).from("contact_messages").insert(row);
  expect(status).toBe(400);
});
