import { afterAll, beforeEach, expect, test } from "vitest";
import { moveClock, siteRole, sweep } from "#tests/support/clock.ts";
import { asAccount, startInbox, store } from "#tests/support/inbox.ts";

const { database, owner } = await startInbox();
afterAll(() => database.close());

/** What is left: texts of messages, the number of changes, names of accounts. */
async function left() {
  const [row] = await database.superuser`select
    array(select message from public.contact_messages order by message) as messages,
    (select count(*)::int from private.changes) as changes,
    array(select split_part(email, '@', 1) from auth.users
      where email like '%@accounts.example' order by email) as accounts`;
  return row;
}

const days = (count: number) => new Date(Date.now() - count * 24 * 60 * 60 * 1000);
const everything = {
  messages: ["archived", "new", "note", "spam", "trash"],
  changes: 1,
  accounts: ["new", "unconfirmed"],
};

beforeEach(async () => {
  const { superuser } = database;
  await superuser`delete from public.contact_messages`;
  await superuser`delete from auth.users where email like '%@accounts.example'`;
  await superuser`update private.clock set trusted_at = now(), jumped_at = null`;
  const [noted = ""] = await store(database, [
    { message: "note" },
    { message: "new" },
    { message: "archived", archived_at: days(1) },
    { message: "spam", spam_signs: ["trap"] },
    { message: "trash", deleted_at: days(0) },
  ]);
  await asAccount(database, owner, (sql) => sql`select public.save_note(${noted}, '', 'سر')`);
  await superuser`
    insert into auth.users (id, email, created_at, updated_at, email_confirmed_at) values
      (gen_random_uuid(), 'new@accounts.example', now(), now(), now()),
      (gen_random_uuid(), 'unconfirmed@accounts.example', now(), now(), null)`;
});

test("a clock three years ahead deletes nothing, also in the three days in which it is wrong", async () => {
  await moveClock(database, "3 years");
  for (let day = 0; day < 3; day += 1) {
    expect(await sweep(database)).toBe("asks");
    await moveClock(database, "23 hours");
    expect(await sweep(database)).toBe("asks");
  }
  expect(await left()).toEqual(everything);
  await moveClock(database, "-3 years");
  expect(await sweep(database)).toBe("trusted");
  // The change is three days old by now, in truth.
  expect(await left()).toEqual({ ...everything, changes: 0 });
});

test("after more than three days of a wrong clock, the right one is trusted a day later", async () => {
  await moveClock(database, "3 years");
  await sweep(database);
  await moveClock(database, "9 days");
  await sweep(database);
  await moveClock(database, "-3 years");
  expect(await sweep(database)).toBe("waits");
  expect(await left()).toEqual(everything);
  await moveClock(database, "21 hours");
  expect(await sweep(database)).toBe("trusted");
  expect(await left()).toEqual({ ...everything, changes: 0, accounts: ["new"] });
});

test("what is stored while the clock is ten years behind is not old when it is right again", async () => {
  const [trashed = "", marked = ""] = await store(database, [
    { message: "trashed" },
    { message: "marked" },
  ]);
  await database.superuser`
    insert into auth.users (id, email, created_at, updated_at, email_confirmed_at)
    values (gen_random_uuid(), 'used@accounts.example', ${days(95)}, ${days(95)}, now())`;
  await moveClock(database, "-10 years");
  expect(await sweep(database)).toBe("asks");
  await siteRole(
    database,
    (sql) => sql`
      insert into public.contact_messages (name, email, message)
      values ('ن', 'n@example.com', 'behind')`,
  );
  await database.superuser`
    insert into auth.users (id, email, created_at, updated_at)
    values (gen_random_uuid(), 'behind@accounts.example', now(), now())`;
  await database.superuser`
    update auth.users set last_sign_in_at = now(), updated_at = now()
    where email = 'used@accounts.example'`;
  for (const [action, id] of [
    ["trash", trashed],
    ["spam", marked],
  ]) {
    await asAccount(
      database,
      owner,
      (sql) => sql`select public.sort_messages(${action ?? null}, ${[id ?? ""]})`,
    );
  }
  await moveClock(database, "10 years 2 days");
  expect(await sweep(database)).toBe("trusted");
  expect(await left()).toEqual({
    messages: [...everything.messages, "behind", "marked", "trashed"].toSorted(),
    changes: 0,
    accounts: ["behind", "new", "unconfirmed", "used"],
  });
});

test("a message is no repeat of an old one while the clock is behind", async () => {
  const send = () =>
    siteRole(
      database,
      (sql) => sql`
        insert into public.contact_messages (name, email, message)
        values ('ن', 'n@example.com', 'هل وصلت رسالتي؟') returning id`,
    );
  await send();
  await moveClock(database, "1 day");
  await sweep(database);
  await moveClock(database, "-10 years");
  expect(await send()).toHaveLength(1);
  expect(await send()).toHaveLength(0);
});

test("a site that was off for three weeks deletes a day after it is back, not at once", async () => {
  await moveClock(database, "31 days");
  expect(await sweep(database)).toBe("waits");
  await moveClock(database, "19 hours");
  expect(await sweep(database)).toBe("waits");
  expect(await left()).toEqual(everything);
  await moveClock(database, "2 hours");
  expect(await sweep(database)).toBe("trusted");
  expect(await left()).toEqual({
    messages: ["archived", "new", "note"],
    changes: 0,
    accounts: ["new"],
  });
});

test.each([
  ["-2 hours", "asks"],
  ["-30 minutes", "trusted"],
  ["2 days 23 hours", "trusted"],
  ["3 days 1 hour", "waits"],
  ["39 days 23 hours", "waits"],
  ["40 days 1 hour", "asks"],
])("a clock that moves by %s since the last sweep: %s", async (by, state) => {
  await moveClock(database, by);
  expect(await sweep(database)).toBe(state);
});

test("a date that jumps again while it is in doubt waits again", async () => {
  for (const by of ["5 days", "5 days", "-4 days"]) {
    await moveClock(database, by);
    expect(await sweep(database)).toBe("waits");
    await moveClock(database, "19 hours");
    expect(await sweep(database)).toBe("waits");
  }
  await moveClock(database, "2 hours");
  expect(await sweep(database)).toBe("trusted");
});
