import type { Sql } from "embedded-supabase/testing";
import { beforeAll, describe, expect, test } from "vitest";
import { boxes } from "#app/models/boxes.ts";
import { listedFunctions } from "#app/supabase-calls.ts";
import { newAddress } from "#tests/support/address.ts";
import type { ApiAnswer, Caller } from "#tests/support/api.ts";
import { type LiveTab, cookieWith, namesOf, openTab } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import { useApi, useSite } from "#tests/support/use-site.ts";
import { valuesOf } from "#tests/support/values.ts";
import type { Visitor } from "#tests/support/visitor.ts";
import {
  type Cells,
  claimAndEnrol,
  claimStates,
  each,
  newRow,
  outcomes,
  type People,
  roles,
  signUpRoles,
  stored,
} from "./roles.ts";

// Who may call a function or has a right on a table or column at all is in contract/rights.test.ts.
const site = useSite();
const api = useApi(site);
let people: People;
beforeAll(async () => {
  people = await signUpRoles(site, api);
  await api.call(api.service, "add_counts", { day: "2026-01-02", numbers: { view: 1 } });
});

const seen = "2026-01-01T00:00:00+00:00";
const soon = () => new Date(Date.now() + 60_000).toISOString();
const away = new Date(Date.now() + 300 * 86_400_000).toISOString().slice(0, 10);
const accounts = roles.filter((role) => role !== "anon");

type Json = ApiAnswer["json"];

/** Calls a function. Returns what `read` finds in its result, or the status of a refusal. */
async function call(by: Caller, name: string, body: object, read = (json: Json): unknown => json) {
  const { status, json } = await api.call(by, name, body);
  return status === 200 ? read(json) : status;
}

/** The state of the inbox, and whether there are messages. */
const stateOf = ({ owner, may_read: mayRead, messages }: Json) => [owner, mayRead, messages > 0];

/** Every function that accounts may call, with the status that each role gets. */
const functions: Record<string, (by: Caller) => Promise<unknown>> = {
  inbox_state: (by) => call(by, "inbox_state", {}, stateOf),
  read_inbox: async (by) => {
    const all = [];
    for (const box of boxes) {
      for (const more of [{}, { query: "رساله", most: 1000 }]) {
        const read = (json: Json) => [...stateOf(json), json.page.length > 0];
        all.push(await call(by, "read_inbox", { box, ...more }, read));
      }
    }
    return [...new Set(all.map((one) => JSON.stringify(one)))].map((one) => JSON.parse(one));
  },
  sort_messages: async (by) => {
    const ids = [(await stored(api)).id];
    return call(by, "sort_messages", { action: "archive", ids }, ({ changed }) => changed);
  },
  undo_sort: async (by) => {
    const done = await api.sort("archive", [(await stored(api)).id]);
    const body = { undone: done?.change, action: "unarchive" };
    return call(by, "undo_sort", body, ({ changed }) => changed);
  },
  sort_box: async (by) => {
    await stored(api);
    const body = { action: "archive", box: "waiting", until: soon() };
    return call(by, "sort_box", body, ({ changed }) => changed > 0);
  },
  empty_box: async (by) => {
    const { id } = await stored(api);
    await api.sort("spam", [id]);
    const told = await call(by, "empty_box", { box: "spam", until: soon() }, (json) => json > 0);
    return [told, (await messageOf(id)) !== undefined];
  },
  save_note: async (by) => {
    const { id } = await stored(api);
    const told = await call(by, "save_note", { message: id, note: "سرّ" });
    return [told, (await messageOf(id))?.note];
  },
  is_signed_in: (by) => call(by, "is_signed_in", {}),
  my_sessions: (by) => call(by, "my_sessions", {}, (json) => json.length),
  claim_inbox: (by) => call(by, "claim_inbox", { code: "00000-00000-00000-00000" }),
  read_counts: (by) => call(by, "read_counts", { since: "2000-01-01" }, (json) => json.length),
  switch_counting: (by) => call(by, "switch_counting", { is_on: true }),
  reset_counts: (by) => call(by, "reset_counts", {}),
  add_absence: (by) => call(by, "add_absence", { first_day: away, last_day: away }),
  end_absence: (by) => call(by, "end_absence", { first_day: away, today: away }),
  record_visit: (by) => call(by, "record_visit", { until: seen }, (json) => json !== null),
  notification_state: (by) => call(by, "notification_state", {}, (json) => json.length),
  begin_notification_test: (by) =>
    call(by, "begin_notification_test", { for_channel: "mail" }, (json) => typeof json),
};

const messageOf = async (id: string) =>
  (await readMessages(site.dataDir)).find((message) => message.id === id);

/** The outcome for the owner with the second factor that it has; for the other accounts another one. */
const ownerAlone = (owner: unknown, others: unknown, anon: unknown = 401) =>
  each(anon, others, others, owner);

const afterClaim: Record<string, Cells> = {
  inbox_state: each(401, ["other", false, false], ["me", false, false], ["me", true, true]),
  read_inbox: each(
    [401],
    [["other", false, false, false]],
    [["me", false, false, false]],
    [["me", true, true, true]],
  ),
  sort_messages: ownerAlone(1, 409),
  undo_sort: ownerAlone(1, 0),
  sort_box: ownerAlone(true, false),
  empty_box: ownerAlone([true, false], [false, true], [401, true]),
  save_note: ownerAlone([true, "سرّ"], [false, null], [401, null]),
  is_signed_in: each(401, true, false, true),
  my_sessions: each(401, 1, 0, 2),
  claim_inbox: ownerAlone(true, false),
  read_counts: ownerAlone(1, 0),
  switch_counting: ownerAlone(204, 403),
  reset_counts: ownerAlone(204, 403),
  add_absence: ownerAlone(null, 403),
  end_absence: ownerAlone(true, 403),
  record_visit: ownerAlone(true, false),
  notification_state: ownerAlone(2, 0),
  begin_notification_test: ownerAlone("string", 403),
};

/** Until the claim each account reads, and none does what is the owner's. */
function beforeClaim(name: string): Cells {
  const { anon, stranger } = afterClaim[name] ?? each(401, 401, 401, 401);
  const read = ["nobody", true, true];
  const own: Record<string, unknown> = {
    inbox_state: read,
    read_inbox: [[...read, true]],
    record_visit: true,
  };
  const outcome = own[name] ?? stranger;
  return each(anon, outcome, outcome, outcome);
}

test("each function that accounts may call is tried", () => {
  const listed = listedFunctions.accounts.toSorted();
  expect([Object.keys(functions).toSorted(), Object.keys(afterClaim).toSorted()]).toEqual([
    listed,
    listed,
  ]);
});

const no = "refused";

/** Returns the number of rows that a caller's statement read or changed, or that it is refused. */
async function rowsOf(by: Caller, statement: (sql: Sql) => PromiseLike<{ count: number }>) {
  try {
    return await api.run(by, async (sql) => (await statement(sql)).count);
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "42501") {
      return no;
    }
    throw error;
  }
}

/** Opens the live inbox with a token. */
const open = (token: string) =>
  openTab(site, { address: newAddress(), cookie: cookieWith(people.pages.owner, token) });

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(async () => {
    for (const action of ["archive", "answer", "spam", "trash"]) {
      await api.sort(action, [(await stored(api)).id]);
    }
    await stored(api);
    await (claimed && claimAndEnrol(api, people));
  });

  test.each(Object.keys(functions))("the function %s", async (name) => {
    const expected = claimed ? afterClaim[name] : beforeClaim(name);
    const asked = (by: Caller) => functions[name]?.(by) ?? Promise.resolve();
    expect(await outcomes(people, asked)).toEqual(expected);
  });

  const reads = claimed ? each(no, 0, 0, 1) : each(no, 1, 1, 1);
  const refused = each(no, no, no, no);

  test.each<[string, (sql: Sql, id: string) => PromiseLike<{ count: number }>, Cells]>([
    ["select", (sql, id) => sql`select * from public.contact_messages where id = ${id}`, reads],
    [
      "update",
      (sql, id) => sql`update public.contact_messages set note = 'ن' where id = ${id}`,
      each(no, 0, 0, claimed ? 1 : 0),
    ],
    ["insert", (sql) => sql`insert into public.contact_messages ${valuesOf(newRow())}`, refused],
    [
      "insert over an existing row",
      (sql, id) => sql`
        insert into public.contact_messages ${valuesOf({ ...newRow(), id })}
        on conflict (id) do update set note = excluded.note`,
      refused,
    ],
    ["delete", (sql, id) => sql`delete from public.contact_messages where id = ${id}`, refused],
    ["select of the deletions", (sql) => sql`select last_at from public.inbox_deletions`, reads],
    [
      "update of the deletions",
      (sql) => sql`update public.inbox_deletions set last_at = now()`,
      refused,
    ],
  ])("%s", async (_what, statement, expected) => {
    const { id } = await stored(api);
    const asked = (by: Caller) => rowsOf(by, (sql) => statement(sql, id));
    expect(await outcomes(people, asked)).toEqual(expected);
    expect(await messageOf(id)).toBeDefined();
  });

  test("the live inbox", async () => {
    const tabs = new Map(accounts.map((role) => [role, open(people.callers[role].token ?? "")]));
    const statuses = await Promise.all([...tabs.values()].map(({ status }) => status));
    expect(statuses).toEqual(claimed ? [403, 401, 101] : [101, 101, 101]);
    const heard = (name: string) =>
      accounts.filter((role) => namesOf(tabs.get(role) as LiveTab).includes(name));
    const readers = claimed ? ["owner at aal2"] : accounts;
    const { id, name } = await stored(api);
    await expect.poll(() => heard(name), { timeout: 20_000 }).toEqual(readers);
    await api.call(api.service, "withdraw_message", { id });
    // When the second message has arrived, everything before it has arrived everywhere.
    const next = await stored(api);
    await expect.poll(() => heard(next.name), { timeout: 20_000 }).toEqual(readers);
    expect(heard(name)).toEqual(readers);
    for (const { socket, frames } of tabs.values()) {
      // A tab only hears that its list is old, and not which message was deleted.
      expect(frames.length).toBeLessThanOrEqual(3);
      socket.terminate();
    }
  });

  test("the pages", async () => {
    const { id, name } = await stored(api);
    const shown = async (visitor: Visitor) => {
      const board = await visitor.get("/admin");
      const data = await visitor.get("/admin.data");
      const sort = await visitor.post("/admin", { action: "spam", one: id });
      const isMoved = (await visitor.get("/admin?box=spam")).text.includes(id);
      return [
        board.status,
        board.text.includes(name),
        data.text.includes(name),
        sort.status,
        isMoved,
      ];
    };
    expect({
      anon: await shown(people.pages.anon),
      stranger: await shown(people.pages.stranger),
      "owner at aal1": await shown(people.pages.owner),
    }).toEqual({
      anon: [302, false, false, 302, false],
      stranger: [200, !claimed, !claimed, 403, false],
      // The code is required first.
      "owner at aal1": claimed ? [302, false, false, 302, false] : [200, true, true, 403, false],
    });
  });
});
