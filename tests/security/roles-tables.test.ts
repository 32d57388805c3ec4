import { rawPart, type Sql } from "embedded-supabase/testing";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#tests/support/api.ts";
import { readMessages } from "#tests/support/messages.ts";
import {
  type Cells,
  claimStates,
  each,
  newRow,
  outcomes,
  startRoles,
  stored,
} from "#tests/support/roles.ts";
import { valuesOf } from "#tests/support/values.ts";

const { site, api, people, claim } = await startRoles();
afterAll(() => site.stop());

const no = "refused";
const refused = each(no, no, no, no);

/** Returns the number of rows that a caller's statement read or changed, or that it is refused. */
async function rowsOf(
  caller: Caller,
  statement: (sql: Sql) => PromiseLike<{ count: number }>,
): Promise<number | string> {
  try {
    return await api.run(caller, async (sql) => (await statement(sql)).count);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "42501") {
      return no;
    }
    throw error;
  }
}

const insert = (caller: Caller) =>
  rowsOf(caller, (sql) => sql`insert into public.contact_messages ${valuesOf(newRow())}`);

async function changes(caller: Caller, column: string, value: unknown) {
  const { id } = await stored(api);
  const changed = await rowsOf(
    caller,
    (sql) => sql`
      update public.contact_messages set ${rawPart(column)} = ${value} where id = ${id}`,
  );
  return changed === no ? no : changed === 1;
}

const selects = async (caller: Caller) => {
  const found = await rowsOf(caller, (sql) => sql`select * from public.contact_messages`);
  return found === no ? no : Number(found) > 0;
};

const upsert = async (caller: Caller) => {
  const { id } = await stored(api);
  return rowsOf(
    caller,
    (sql) => sql`
      insert into public.contact_messages ${valuesOf({ ...newRow(), id })}
      on conflict (id) do update set message = excluded.message`,
  );
};

const remove = async (caller: Caller) => {
  const { id } = await stored(api);
  const removed = await rowsOf(
    caller,
    (sql) => sql`delete from public.contact_messages where id = ${id}`,
  );
  const left = (await readMessages(site.dataDir)).filter((message) => message.id === id);
  return [removed, left.length];
};

const readSignal = (caller: Caller) =>
  rowsOf(caller, (sql) => sql`select last_at from public.inbox_deletions`);
const writeSignal = (caller: Caller) =>
  rowsOf(caller, (sql) => sql`update public.inbox_deletions set last_at = now()`);

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  // Before the claim every account reads and none sorts; afterwards the owner does both, with the
  // factor that it has.
  const reads = claimed ? each(no, false, false, true) : each(no, true, true, true);
  const sorts = each(no, false, false, claimed);

  test("select", async () => {
    expect(await outcomes(people, selects)).toEqual(reads);
  });

  test("insert", async () => {
    expect(await outcomes(people, insert)).toEqual(refused);
  });

  test("the row that tells boards of deletions", async () => {
    expect(await outcomes(people, readSignal)).toEqual(
      claimed ? each(no, 0, 0, 1) : each(no, 1, 1, 1),
    );
    expect(await outcomes(people, writeSignal)).toEqual(refused);
  });

  test("insert over an existing row", async () => {
    expect(await outcomes(people, upsert)).toEqual(refused);
  });

  test.each<[string, unknown, Cells]>([
    ["spam_signs", ["links", "repeat"], sorts],
    ["answered_at", "2026-01-01T00:00:00Z", sorts],
    ["archived_at", "2026-01-01T00:00:00Z", sorts],
    ["deleted_at", "2026-01-01T00:00:00Z", sorts],
    ["restored_at", "2026-01-01T00:00:00Z", sorts],
    ["note", "ملاحظة", sorts],
    ["accepted_signs", ["trap"], sorts],
    ["last_change", crypto.randomUUID(), sorts],
    ["phone", "966501234567", refused],
    ["name", "غيره", refused],
    ["email", "other@example.com", refused],
    ["message", "غيره", refused],
    ["id", crypto.randomUUID(), refused],
    ["created_at", "2020-01-01T00:00:00Z", refused],
  ])("update of %s", async (column, value, expected) => {
    const change = (caller: Caller) => changes(caller, column, value);
    expect(await outcomes(people, change)).toEqual(expected);
  });

  test("delete", async () => {
    const kept = [no, 1];
    expect(await outcomes(people, remove)).toEqual(each(kept, kept, kept, kept));
  });
});
