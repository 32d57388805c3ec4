import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#tests/support/api.ts";
import {
  all,
  type Cells,
  each,
  newRow,
  outcomes,
  rest,
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

const refused = (service: unknown) => each(401, 403, 403, 403, service);

/** The result of a call: its status, or for a table's rows whether it changed any. */
async function read(caller: Caller, columns = "*") {
  const answer = await api.send(caller, "GET", `${rest}?select=${columns}`);
  return answer.status === 200 ? (answer.json as unknown[]).length > 0 : answer.status;
}

async function write(caller: Caller, column: string, value: unknown) {
  const row = await stored(api);
  const answer = await api.send(caller, "PATCH", `${rest}?id=eq.${row.id}`, { [column]: value });
  const { json } = await api.send(api.service, "GET", `${rest}?id=eq.${row.id}&select=*`);
  const isChanged = JSON.stringify(json[0] ?? null) !== JSON.stringify({ ...row });
  return answer.status === 204 ? isChanged : answer.status;
}

async function count(caller: Caller) {
  const answer = await api.send(caller, "HEAD", rest, undefined, { Prefer: "count=exact" });
  return answer.status === 200
    ? !String(answer.headers["content-range"]).endsWith("/0")
    : answer.status;
}

async function insertAndRead(caller: Caller) {
  const answer = await api.send(caller, "POST", rest, newRow(), {
    Prefer: "return=representation",
  });
  return answer.status === 201 ? answer.json.length === 1 : answer.status;
}

async function upsert(caller: Caller) {
  const { id } = await stored(api);
  const answer = await api.send(
    caller,
    "POST",
    rest,
    { ...newRow(), id },
    { Prefer: "resolution=merge-duplicates" },
  );
  return answer.status;
}

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  // Before the claim every account reads and none sorts; afterwards the owner does both, with the
  // factor that it has.
  const reads = claimed ? each(401, false, false, true, true) : each(401, true, true, true, true);
  const sorts = each(401, false, false, claimed, true);

  describe("contact_messages over REST", () => {
    test.each([
      "*",
      "id",
      "name",
      "email",
      "message",
      "created_at",
      "spam_signs",
      "phone",
      "answered_at",
      "archived_at",
      "deleted_at",
      "note",
      "accepted_signs",
    ])("select %s", async (columns) => {
      expect(await outcomes(people, (caller) => read(caller, columns))).toEqual(reads);
    });

    test("count, and a row by its content", async () => {
      const known = await stored(api);
      const find = async (caller: Caller) => {
        const answer = await api.send(
          caller,
          "GET",
          `${rest}?message=eq.${encodeURIComponent(known.message)}`,
        );
        return answer.status === 200 ? answer.json.length === 1 : answer.status;
      };
      expect([await outcomes(people, count), await outcomes(people, find)]).toEqual([reads, reads]);
    });

    test.each<[string, object, Cells]>([
      ["the form's columns", {}, all(201)],
      ["spam_signs", { spam_signs: ["trap"] }, all(201)],
      ["the owner's sign", { spam_signs: ["owner", "trap"] }, refused(201)],
      ["phone", { phone: "966501234567" }, all(201)],
      ["answered_at", { answered_at: "2026-01-01T00:00:00Z" }, refused(201)],
      ["archived_at", { archived_at: "2026-01-01T00:00:00Z" }, refused(201)],
      ["deleted_at", { deleted_at: "2026-01-01T00:00:00Z" }, refused(201)],
      ["note", { note: "ملاحظة" }, refused(201)],
      ["accepted_signs", { accepted_signs: ["trap"] }, refused(201)],
      ["id", { id: "00000000-0000-4000-8000-000000000001" }, refused(201)],
      ["created_at", { created_at: "2020-01-01T00:00:00Z" }, refused(201)],
    ])("insert with %s", async (_name, more, expected) => {
      const insert = async (caller: Caller) => {
        const row = { ...newRow(), ...more };
        return (await api.send(caller, "POST", rest, row)).status;
      };
      expect(await outcomes(people, insert)).toEqual(expected);
    });

    test("insert and read back", async () => {
      expect(await outcomes(people, insertAndRead)).toEqual(
        claimed ? each(401, 403, 403, true, true) : each(401, true, true, true, true),
      );
    });

    test("insert over an existing row", async () => {
      expect(await outcomes(people, upsert)).toEqual(
        refused(expect.toSatisfy((s) => s === 200 || s === 201)),
      );
    });

    test.each<[string, unknown, Cells]>([
      ["spam_signs", ["links", "repeat"], sorts],
      ["answered_at", "2026-01-01T00:00:00Z", sorts],
      ["archived_at", "2026-01-01T00:00:00Z", sorts],
      ["deleted_at", "2026-01-01T00:00:00Z", sorts],
      ["note", "ملاحظة", sorts],
      ["accepted_signs", ["trap"], sorts],
      ["phone", "966501234567", refused(true)],
      ["name", "غيره", refused(true)],
      ["email", "other@example.com", refused(true)],
      ["message", "غيره", refused(true)],
      ["id", "00000000-0000-4000-8000-000000000002", refused(true)],
      ["created_at", "2020-01-01T00:00:00Z", refused(true)],
    ])("update of %s", async (column, value, expected) => {
      expect(await outcomes(people, (caller) => write(caller, column, value))).toEqual(expected);
      await api.send(api.service, "DELETE", `${rest}?id=eq.00000000-0000-4000-8000-000000000002`);
    });

    test("delete", async () => {
      const remove = async (caller: Caller) => {
        const { id } = await stored(api);
        const { status } = await api.send(caller, "DELETE", `${rest}?id=eq.${id}`);
        const left = await api.send(api.service, "GET", `${rest}?id=eq.${id}`);
        return status === 204 ? left.json.length === 0 : [status, left.json.length];
      };
      expect(await outcomes(people, remove)).toEqual(
        each([401, 1], [403, 1], [403, 1], [403, 1], true),
      );
      await api.send(api.service, "DELETE", `${rest}?id=eq.00000000-0000-4000-8000-000000000001`);
    });
  });
});
