import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { undoOf } from "#app/models/inbox-limits.ts";
import { newAddress } from "#tests/support/address.ts";
import type { Caller } from "#tests/support/api.ts";
import { type LiveTab, cookieWith, namesOf, openTab } from "#tests/support/live.ts";
import { readMessages } from "#tests/support/messages.ts";
import {
  type Cells,
  claimStates,
  each,
  outcomes,
  startRoles,
  stored,
} from "#tests/support/roles.ts";
import type { Visitor } from "#tests/support/visitor.ts";

const { site, api, people, claim } = await startRoles();
afterAll(() => site.stop());

const rpc = (by: Caller, name: string, body: object) => api.call(by, name, body);

/** What a caller is told of saving the note of a new message, and the note afterwards. */
async function noteBy(caller: Caller) {
  const { id } = await stored(api);
  const saved = await rpc(caller, "save_note", { message: id, note: "سرّ" });
  const left = (await readMessages(site.dataDir)).find((message) => message.id === id);
  return [saved.status === 200 ? saved.json : saved.status, left?.note];
}

const accounts = ["stranger", "owner at aal1", "owner at aal2"] as const;

/** Opens the live inbox with a token. */
const open = (token: string) =>
  openTab(site, { address: newAddress(), cookie: cookieWith(people.pages.owner, token) });

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(async () => {
    if (claimed) {
      await claim();
    }
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
      // Of the deletion a tab hears no more than that its list is old.
      expect(frames.length).toBeLessThanOrEqual(3);
      socket.terminate();
    }
  });

  test("the pages", async () => {
    const { name } = await stored(api);
    const { id } = await stored(api);
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

  test.each(Object.entries(undoOf))("the function undo_sort after %s", async (action, undo) => {
    const asked = async (caller: Caller) => {
      const { id } = await stored(api);
      if (action.startsWith("un") || action === "restore") {
        await api.sort(undo, [id]);
      }
      const done = await api.sort(action, [id]);
      const undone = await rpc(caller, "undo_sort", { undone: done?.change, action: undo });
      return undone.status === 200 ? undone.json.changed : undone.status;
    };
    expect(await outcomes(people, asked)).toEqual(each(401, 0, 0, claimed ? 1 : 0));
  });

  test("the function save_note", async () => {
    const refused = [false, null];
    const done = [true, "سرّ"];
    expect(await outcomes(people, noteBy)).toEqual(
      each([401, null], refused, refused, claimed ? done : refused),
    );
  });

  const ownerAlone = (outcome: unknown) => each(401, 403, 403, claimed ? outcome : 403);

  test.each<[string, object, Cells]>([
    ["notification_state", {}, each(401, 0, 0, claimed ? 2 : 0)],
    ["retry_notifications", {}, ownerAlone(204)],
    ["begin_notification_test", { for_channel: "mail" }, ownerAlone(expect.any(String))],
  ])("the function %s with %j", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const { status, json } = await api.call(caller, name, body);
      if (status !== 200) {
        return status;
      }
      return Array.isArray(json) ? json.length : json;
    };
    expect(await outcomes(people, asked)).toEqual(expected);
  });
});
