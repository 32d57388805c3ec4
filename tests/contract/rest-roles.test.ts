import { expect } from "vitest";
import { loadKeys } from "#embedded/keys.ts";
import { signAccessToken } from "#embedded/tokens.ts";
import { newClient, signUp } from "#tests/support/auth-server.ts";
import { test } from "#tests/support/auth-test.ts";
import { withSuperuser } from "#tests/support/superuser.ts";

test("calls of different accounts at once never see each other's rights", async ({ server }) => {
  const owner = await signUp(server);
  const stranger = await signUp(server);
  await withSuperuser(
    server.dataDir,
    (sql) => sql`insert into private.site_owner (user_id) values (${owner.user.id})`,
  );
  const state = async ({ client }: typeof owner) => {
    const { data, status } = await client.rpc("inbox_state");
    return [status, data?.owner, data?.may_read];
  };
  for (let round = 0; round < 100; round += 1) {
    const seen = await Promise.all([
      state(owner),
      state(stranger),
      newClient(server).rpc("inbox_state"),
      state(owner),
    ]);
    expect(seen).toEqual([
      [200, "me", true],
      [200, "other", false],
      expect.objectContaining({ status: 401, data: null }),
      [200, "me", true],
    ]);
  }
}, 60_000);

test("an expired token is 401 PGRST303", async ({ server }) => {
  const exp = Math.floor(Date.now() / 1000) - 1;
  const keys = await loadKeys(server.dataDir);
  const token = await signAccessToken(keys, { role: "authenticated", exp });
  const request = new Request(`${server.url}/rest/v1/rpc/inbox_state`, {
    method: "POST",
    headers: { Authorization: `Bearer ${token}` },
    body: "{}",
  });
  const answer = await server.embedded.fetch(request, { address: "192.0.2.3" });
  expect([answer.status, await answer.json()]).toEqual([
    401,
    expect.objectContaining({ code: "PGRST303", message: "JWT expired" }),
  ]);
});
