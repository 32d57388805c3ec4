import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { type Api, type Caller, openApi } from "#tests/support/api.ts";
import {
  all,
  type Cells,
  claimAndEnrol,
  each,
  outcomes,
  type People,
  type Role,
  roles,
  signUpRoles,
  standings,
} from "#tests/support/roles.ts";
import { type RunningSite, startSite } from "#tests/support/site.ts";

const accounts = (outcome: unknown) => each(401, outcome, outcome, outcome, outcome);

let site: RunningSite;
let api: Api;
let people: People;
beforeAll(async () => {
  site = await startSite();
  api = await openApi(site);
  people = await signUpRoles(site, api);
}, 60_000);
afterAll(() => site?.stop());

describe.each(standings)("$when", ({ claimed }) => {
  beforeAll(async () => {
    if (claimed) {
      await claimAndEnrol(api, people);
    }
  }, 60_000);

  test.each([
    "is_plain_text",
    "is_visible",
    "session_is_open",
    "second_factor_is_met",
    "authenticated_recently",
    "own_recovery_codes",
    "reserved_accounts",
    "inbox_owner",
    "owns_inbox",
    "may_read_inbox",
    "receive_message",
    "count_message",
    "count_messages",
    "client_address",
    "attempt_wait",
    "forget_attempts",
    "uid",
    "jwt",
    "pg_sleep",
    "pg_read_file",
    "set_config",
    "version",
    "query_to_xml",
  ])("the function %s is nowhere to be found", async (name) => {
    const asked = async (caller: Caller) => {
      const answers = [
        await api.send(caller, "POST", `/rest/v1/rpc/${name}`, {}),
        await api.send(caller, "POST", `/rest/v1/rpc/private.${name}`, {}),
        await api.send(
          caller,
          "POST",
          `/rest/v1/rpc/${name}`,
          {},
          { "Content-Profile": "private" },
        ),
      ];
      return answers
        .map(({ status }) => status)
        .filter((status) => status !== 404 && status !== 406);
    };
    expect(await outcomes(people, asked)).toEqual(all([]));
  });

  test.each<[string, object, Cells]>([
    [
      "inbox_state",
      {},
      claimed
        ? each(401, ["other", false, 0], ["me", false, 0], ["me", true, 1], ["other", false, 0])
        : accounts(["nobody", true, 1]),
    ],
    [
      "read_inbox",
      {},
      // The secret key bypasses row level security, as on the table itself.
      claimed
        ? each(
            401,
            ["other", false, 0, 0],
            ["me", false, 0, 0],
            ["me", true, 1, 1],
            ["other", false, 0, 1],
          )
        : accounts(["nobody", true, 1, 1]),
    ],
    [
      "read_inbox",
      { in_spam: true },
      claimed
        ? each(
            401,
            ["other", false, 0, 0],
            ["me", false, 0, 0],
            ["me", true, 1, 0],
            ["other", false, 0, 0],
          )
        : accounts(["nobody", true, 1, 0]),
    ],
  ])("the function %s with %j", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const { status, json } = await api.send(caller, "POST", `/rest/v1/rpc/${name}`, body);
      const state = Array.isArray(json) ? json[0] : json;
      if (status !== 200) {
        return status;
      }
      const { owner, may_read: mayRead, messages, page } = state;
      return [owner, mayRead, Math.sign(messages), ...(page ? [Math.sign(page.length)] : [])];
    };
    expect(await outcomes(people, asked)).toEqual(expected);
  });

  const noOne = "00000000-0000-4000-8000-000000000000";
  test.each<[string, object, Cells]>([
    [
      "reserve_inbox",
      { address: "x@example.com" },
      each(401, 403, 403, 403, claimed ? false : undefined),
    ],
    ["end_session", { session_id: noOne }, each(401, false, false, false, false)],
    ["use_recovery_code", { code: "00000" }, each(401, false, false, false, false)],
    ["device_proof", {}, each(401, "proof", claimed ? null : "proof", "proof", null)],
    ["count_recovery_codes", {}, each(401, 0, 0, 0, 0)],
    ["renew_recovery_codes", {}, each(401, 403, 403, claimed ? 10 : 403, 403)],
    ["my_sessions", {}, each(401, 1, claimed ? 0 : 1, claimed ? 2 : 1, 0)],
    ["take_attempt", { kind: "sign-in", account: noOne }, all(null)],
    ["take_attempt", { kind: "sign-in", account: noOne, device: "0".repeat(32) }, all(null)],
    ["take_attempt", { kind: "message", account: noOne }, all(400)],
    ["take_attempt", { kind: "sign-in", account: "x".repeat(400) }, all(400)],
    ["take_attempt", { kind: null, account: null }, all(400)],
    ["claim_inbox", { code: "00000-00000-00000-00000" }, each(401, false, false, claimed, false)],
    ["sweep_attempts", {}, each(401, 403, 403, 403, 0)],
    ["is_trusted_site", {}, each(false, 403, 403, 403, 403)],
    ["new_claim_code", {}, each(401, 403, 403, 403, claimed ? null : "code")],
  ])("the function %s with %j", async (name, body, expected) => {
    const asked = async (caller: Caller) => {
      const role = roles.find((known) => people.callers[known] === caller) as Role;
      if (expected[role] === undefined) {
        return undefined;
      }
      const { status, json } = await api.send(caller, "POST", `/rest/v1/rpc/${name}`, body);
      if (status !== 200) {
        return status;
      }
      if (Array.isArray(json)) {
        return json.length;
      }
      if (/^[0-9a-f]{32}$/.test(json)) {
        return "proof";
      }
      return /^([0-9a-f]{5}-){3}[0-9a-f]{5}$/.test(json) ? "code" : json;
    };
    expect(await outcomes(people, asked)).toEqual(expected);
  });
});
