import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { z } from "zod";
import { boxes, undoOf } from "#app/models/inbox-limits.ts";
import type { Caller } from "#tests/support/api.ts";
import { readMessages } from "#tests/support/messages.ts";
import {
  all,
  type Cells,
  each,
  newRow,
  outcomes,
  type Role,
  roles,
  claimStates,
  startRoles,
  stored,
} from "#tests/support/roles.ts";

const seen = "2026-01-01T00:00:00+00:00";

const visitors = (outcome: unknown) => each(outcome, outcome, outcome, outcome, 403);
const accounts = (outcome: unknown) => each(401, outcome, outcome, outcome, outcome);

const { site, api, people, claim } = await startRoles();
afterAll(() => site.stop());
await api.call(api.service, "add_counts", { day: "2026-01-02", numbers: { view: 1 } });
for (const action of ["archive", "spam", "trash"]) {
  const { id } = await stored(api);
  await api.call(api.service, "sort_messages", { action, ids: [id] });
}

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  // The server's key bypasses row level security, as on the table itself.
  const page = claimed
    ? each(
        401,
        ["other", false, 0, 0],
        ["me", false, 0, 0],
        ["me", true, 1, 1],
        ["other", false, 0, 1],
      )
    : accounts(["nobody", true, 1, 1]);

  test.each<[string, object, Cells]>([
    [
      "inbox_state",
      {},
      claimed
        ? each(401, ["other", false, 0], ["me", false, 0], ["me", true, 1], ["other", false, 0])
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
      const sort = (by: Caller, what: string) =>
        api.call(by, "sort_messages", { action: what, ids: [id] });
      if (isUndo) {
        await sort(api.service, undo);
      }
      const { status, json } = await sort(caller, action);
      return status === 200 ? json.changed : status;
    };
    expect(await outcomes(people, asked)).toEqual(each(401, 409, 409, claimed ? 1 : 409, 1));
  });

  test.each(["spam", "trash"])("the function empty_box for %s", async (box) => {
    const asked = async (caller: Caller) => {
      const { id } = await stored(api);
      await api.call(api.service, "sort_messages", { action: box, ids: [id] });
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
      each([401, 1], kept, kept, claimed ? [true, 0] : kept, kept),
    );
  });

  const terms = { months: 24, discarded_days: 30, is_counting: true };
  const noOne = "00000000-0000-4000-8000-000000000000";
  test.each<[string, object, Cells]>([
    [
      "reserve_inbox",
      { address: "x@example.com" },
      each(401, 403, 403, 403, claimed ? false : undefined),
    ],
    ["end_session", { session_id: noOne }, each(401, false, false, false, false)],
    ["device_proof", {}, each(401, "proof", claimed ? null : "proof", "proof", null)],
    ["my_sessions", {}, each(401, 1, claimed ? 0 : 1, claimed ? 2 : 1, 0)],
    ["take_attempt", { kind: "sign-in", account: noOne }, visitors(null)],
    ["take_attempt", { kind: "message", account: noOne }, visitors(400)],
    ["return_attempt", { kind: "sign-in" }, each(401, 204, 204, 204, 403)],
    ["claim_inbox", { code: "00000-00000-00000-00000" }, each(401, false, false, claimed, false)],
    ["sweep", {}, each(403, 403, 403, 403, { expired: 0, deleted: 0, others: 0 })],
    ["is_trusted_site", {}, each(false, 403, 403, 403, 403)],
    ["privacy_terms", {}, all(terms)],
    ["add_counts", { day: "2026-01-01", numbers: {} }, each(403, 403, 403, 403, 204)],
    ["read_counts", { since: "2000-01-01" }, each(401, 0, 0, claimed ? 1 : 0, 0)],
    ["switch_counting", { is_on: true }, each(401, 403, 403, claimed ? 204 : 403, 403)],
    [
      "leave_message",
      { message: newRow(), address: "192.0.2.1" },
      each(403, 403, 403, 403, expect.objectContaining({ wait_seconds: null })),
    ],
    ["read_receipt", { id: noOne }, each(403, 403, 403, 403, null)],
    ["withdraw_message", { id: noOne }, each(403, 403, 403, 403, false)],
    [
      "record_visit",
      { until: seen },
      each(401, claimed ? null : seen, claimed ? null : seen, seen, null),
    ],
    ["reset_counts", {}, each(401, 403, 403, claimed ? 204 : 403, 403)],
    ["sort_messages", { action: "answer", ids: [noOne] }, accounts(409)],
    ["new_claim_code", {}, each(401, 403, 403, 403, claimed ? null : "code")],
    // The last one: the owner's session has given a proof.
    ["delete_own_account", {}, each(401, 403, 403, claimed ? 204 : 403, 403)],
  ])("the function %s with %j", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const role = roles.find((known) => people.callers[known] === caller) as Role;
      if (expected[role] === undefined) {
        return undefined;
      }
      const { status, json } = await api.call(caller, name, body);
      if (status !== 200) {
        return status;
      }
      if (Array.isArray(json)) {
        return json.length;
      }
      if (/^[0-9a-f]{32}$/.test(json)) {
        return "proof";
      }
      if (z.uuid().safeParse(json).success) {
        return "id";
      }
      return /^([0-9a-f]{5}-){3}[0-9a-f]{5}$/.test(json) ? "code" : (json?.state ?? json);
    };
    expect(await outcomes(people, asked)).toEqual(expected);
  });
});
