import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#tests/support/api.ts";
import { all, outcomes, type RolesSite, claimStates, startRoles } from "#tests/support/roles.ts";

let { site, api, people, claim } = {} as RolesSite;
beforeAll(async () => {
  ({ site, api, people, claim } = await startRoles());
}, 60_000);
afterAll(() => site?.stop());

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

  test.each([
    "is_plain_text",
    "is_visible",
    "session_is_open",
    "second_factor_is_met",
    "own_recovery_codes",
    "reserved_accounts",
    "inbox_owner",
    "owns_inbox",
    "may_read_inbox",
    "receive_message",
    "count_message",
    "count_messages",
    "store_notifications",
    "notification_pause",
    "require_site",
    "require_owner",
    "store_reserved_owner",
    "turn_push",
    "end_push",
    "state_of",
    "is_in_box",
    "action_on_message",
    "keep_note",
    "fold",
    "search_text",
    "search_key",
    "ascii_letters",
    "box_rows",
    "rare_matches",
    "search_patterns",
    "scan_box",
    "search_rows",
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
  ])("the function %s is not found anywhere", async (name) => {
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

  test.each([
    "site_owner",
    "reserved_owner",
    "claim_code",
    "limits",
    "attempts",
    "device_key",
    "trusted_site",
    "message_counts",
    "notification_channels",
    "notifications",
    "push_subscriptions",
    "inbox_visits",
    "changes",
    "recovery_codes",
    "users",
    "sessions",
    "refresh_tokens",
    "identities",
    "mfa_factors",
    "mfa_challenges",
    "mfa_amr_claims",
    "one_time_tokens",
    "flow_state",
    "schema_migrations",
    "pg_authid",
    "scripts",
  ])("the table %s is not found anywhere", async (table) => {
    const asked = async (caller: Caller) => {
      const statuses = new Set<number>();
      for (const name of [table, `private.${table}`, `auth.${table}`]) {
        for (const method of ["GET", "POST", "PATCH", "DELETE"]) {
          const body = method === "GET" || method === "DELETE" ? undefined : {};
          statuses.add((await api.send(caller, method, `/rest/v1/${name}?id=eq.1`, body)).status);
        }
      }
      for (const profile of ["private", "auth", "embedded", "pg_catalog"]) {
        statuses.add(
          (
            await api.send(caller, "GET", `/rest/v1/${table}`, undefined, {
              "Accept-Profile": profile,
            })
          ).status,
        );
      }
      return Array.from(statuses).filter((status) => status !== 404 && status !== 406);
    };
    expect(await outcomes(people, asked)).toEqual(all([]));
  });
});
