import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { undoOf } from "#app/models/inbox-limits.ts";
import type { Caller } from "#tests/support/api.ts";
import { readMessages } from "#tests/support/messages.ts";
import {
  each,
  outcomes,
  type RolesSite,
  claimStates,
  startRoles,
  stored,
} from "#tests/support/roles.ts";

let { site, api, people, claim } = {} as RolesSite;
beforeAll(async () => {
  ({ site, api, people, claim } = await startRoles());
}, 60_000);
afterAll(() => site?.stop());

const rpc = (by: Caller, name: string, body: object) => api.call(by, name, body);

/** The calls that a caller can make on the note of a new message. */
async function noteBy(caller: Caller) {
  const { id } = await stored(api);
  const note = { message: id, seen: "", note: "سرّ" };
  const saved = await rpc(caller, "save_note", note);
  const { json } = await rpc(api.service, "save_note", note);
  const undone = await rpc(caller, "undo_note", { undone: saved.json.change ?? json.change });
  const left = (await readMessages(site.dataDir)).find((message) => message.id === id);
  return [
    saved.status === 200 ? saved.json.is_here : saved.status,
    undone.status === 200 ? undone.json !== null : undone.status,
    left?.note,
  ];
}

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(async () => {
    if (claimed) {
      await claim();
    }
  }, 60_000);

  test.each(Object.entries(undoOf))("the function undo_sort after %s", async (action, undo) => {
    const asked = async (caller: Caller) => {
      const { id } = await stored(api);
      if (action.startsWith("un") || action === "restore") {
        await rpc(api.service, "sort_messages", { action: undo, ids: [id] });
      }
      const done = await rpc(api.service, "sort_messages", { action, ids: [id] });
      const undone = await rpc(caller, "undo_sort", { undone: done.json.change, action: undo });
      return undone.status === 200 ? undone.json.changed : undone.status;
    };
    expect(await outcomes(people, asked)).toEqual(each(401, 0, 0, claimed ? 1 : 0, 1));
  });

  test("the functions save_note and undo_note", async () => {
    const refused = [false, false, "سرّ"];
    const done = [true, true, null];
    expect(await outcomes(people, noteBy)).toEqual(
      each([401, 401, "سرّ"], refused, refused, claimed ? done : refused, done),
    );
  });
});
