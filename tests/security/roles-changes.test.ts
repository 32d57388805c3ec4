import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { undoOf } from "#app/models/inbox-limits.ts";
import type { Caller } from "#tests/support/api.ts";
import { readMessages } from "#tests/support/messages.ts";
import { newPushDevice } from "#tests/support/push-device.ts";
import {
  type Cells,
  each,
  outcomes,
  claimStates,
  startRoles,
  stored,
} from "#tests/support/roles.ts";

const { site, api, people, claim } = await startRoles();
afterAll(() => site.stop());

const rpc = (by: Caller, name: string, body: object) => api.call(by, name, body);

const siteAlone = (outcome: unknown) => each(403, 403, 403, 403, outcome);
const noOne = "00000000-0000-4000-8000-000000000000";

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

  const ownerAlone = (outcome: unknown) => each(401, 403, 403, claimed ? outcome : 403, 403);

  test.each<[string, object, Cells]>([
    ["set_notification_channels", { channels: [] }, siteAlone(204)],
    ["take_notifications", { for_channel: "mail" }, siteAlone(0)],
    [
      "settle_notification",
      { for_channel: "mail", of_batch: null, result: "sent" },
      siteAlone(false),
    ],
    ["notification_state", {}, each(401, 0, 0, 0, 403)],
    ["retry_notifications", {}, ownerAlone(204)],
    ["begin_notification_test", { for_channel: "mail" }, ownerAlone(429)],
    ["save_push_subscription", newPushDevice().subscription, ownerAlone(204)],
    ["push_subscriptions", {}, each(401, 0, 0, claimed ? 1 : 0, 403)],
    ["delete_push_subscription", { id: noOne }, each(401, false, false, false, 403)],
    ["push_targets", {}, siteAlone(claimed ? 1 : 0)],
    ["settle_push", { delivered: [], expired: [noOne] }, siteAlone(204)],
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
