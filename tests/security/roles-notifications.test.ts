import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { Caller } from "#tests/support/api.ts";
import { newPushDevice } from "#tests/support/push-device.ts";
import {
  type Cells,
  each,
  outcomes,
  type RolesSite,
  claimStates,
  startRoles,
} from "#tests/support/roles.ts";

let { site, api, people, claim } = {} as RolesSite;
beforeAll(async () => {
  ({ site, api, people, claim } = await startRoles());
}, 60_000);
afterAll(() => site?.stop());

const siteAlone = (outcome: unknown) => each(403, 403, 403, 403, outcome);
const noOne = "00000000-0000-4000-8000-000000000000";

describe.each(claimStates)("$when", ({ claimed }) => {
  beforeAll(() => (claimed ? claim() : undefined), 60_000);

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
