import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { boxes, undoOf } from "#app/models/inbox-limits.ts";
import type { Caller } from "#tests/support/api.ts";
import { readMessages } from "#tests/support/messages.ts";
import {
  type Cells,
  each,
  outcomes,
  claimStates,
  startRoles,
  stored,
} from "#tests/support/roles.ts";

const seen = "2026-01-01T00:00:00+00:00";

const accounts = (outcome: unknown) => each(401, outcome, outcome, outcome);

const { site, api, people, claim } = await startRoles();
afterAll(() => site.stop());
await api.call(api.service, "add_counts", { day: "2026-01-02", numbers: { view: 1 } });
for (const action of ["archive", "spam", "trash"]) {
  const { id } = await stored(api);
  await api.sort(action, [id]);
}

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  const page = claimed
    ? each(401, ["other", false, 0, 0], ["me", false, 0, 0], ["me", true, 1, 1])
    : accounts(["nobody", true, 1, 1]);

  test.each<[string, object, Cells]>([
    [
      "inbox_state",
      {},
      claimed
        ? each(401, ["other", false, 0], ["me", false, 0], ["me", true, 1])
        : accounts(["nobody", true, 1]),
    ],
    ...boxes.flatMap((box): [string, object, Cells][] => [
      ["read_inbox", { box }, page],
      ["read_inbox", { box, query: "رساله", most: 1000 }, page],
    ]),
  ])("the function %s with %j", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const { status, json } = await api.call(caller, name, body);
      const state = Array.isArray(json) ? json[0] : json;
      if (status !== 200) {
        return status;
      }
      const { owner, may_read: mayRead, messages, page: rows } = state;
      return [owner, mayRead, Math.sign(messages), ...(rows ? [Math.sign(rows.length)] : [])];
    };
    expect(await outcomes(people, asked)).toEqual(expected);
  });

  test.each(Object.entries(undoOf))("the function sort_messages to %s", async (action, undo) => {
    const isUndo = action.startsWith("un") || action === "restore";
    const asked = async (caller: Caller) => {
      const { id } = await stored(api);
      if (isUndo) {
        await api.sort(undo, [id]);
      }
      const { status, json } = await api.call(caller, "sort_messages", { action, ids: [id] });
      return status === 200 ? json.changed : status;
    };
    expect(await outcomes(people, asked)).toEqual(each(401, 409, 409, claimed ? 1 : 409));
  });

  test.each(["spam", "trash"])("the function empty_box for %s", async (box) => {
    const asked = async (caller: Caller) => {
      const { id } = await stored(api);
      await api.sort(box, [id]);
      const until = new Date(Date.now() + 60_000).toISOString();
      const { status, json } = await api.call(caller, "empty_box", {
        box,
        until,
      });
      const left = (await readMessages(site.dataDir)).filter((message) => message.id === id);
      return status === 200 ? [json > 0, left.length] : [status, left.length];
    };
    const kept = [false, 1];
    expect(await outcomes(people, asked)).toEqual(
      each([401, 1], kept, kept, claimed ? [true, 0] : kept),
    );
  });

  const noOne = "00000000-0000-4000-8000-000000000000";
  test.each<[string, object, Cells]>([
    ["my_sessions", {}, each(401, 1, claimed ? 0 : 1, claimed ? 2 : 1)],
    ["claim_inbox", { code: "00000-00000-00000-00000" }, each(401, false, false, claimed)],
    ["read_counts", { since: "2000-01-01" }, each(401, 0, 0, claimed ? 1 : 0)],
    ["switch_counting", { is_on: true }, each(401, 403, 403, claimed ? 204 : 403)],
    [
      "record_visit",
      { until: seen },
      each(401, claimed ? null : seen, claimed ? null : seen, seen),
    ],
    ["reset_counts", {}, each(401, 403, 403, claimed ? 204 : 403)],
    ["sort_messages", { action: "answer", ids: [noOne] }, accounts(409)],
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
