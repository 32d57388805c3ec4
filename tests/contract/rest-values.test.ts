import { createClient } from "@supabase/supabase-js";
import { afterAll, beforeAll, expect, test } from "vitest";
import { startTestServer, type TestServer } from "#tests/support/embedded-server.ts";

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.close());

test("timestamps are written as PostgREST writes them, and can be used in filters", async () => {
  const client = createClient(server.url, server.secretKey);
  const table = () => client.from("contact_messages");
  const row = {
    name: "ن",
    email: "a@example.com",
    message: "نص",
    created_at: "2026-11-21T07:28:59.09086+00:00",
  };
  const { data } = await table().insert(row).select("created_at").single();
  expect(data).toEqual({ created_at: row.created_at });
  const again = await table().select("name").eq("created_at", row.created_at);
  expect(again.data).toEqual([{ name: "ن" }]);
});

test.each(["order=%00", "select=%00", "%00=eq.x", "name=eq.%00", "columns=%00", "limit=%00"])(
  "a zero byte in ?%s returns 400",
  async (query) => {
    const headers = { apikey: server.secretKey };
    for (const target of ["contact_messages", "rpc/claim_inbox"]) {
      const url = `${server.url}/rest/v1/${target}?${query}`;
      expect((await fetch(url, { headers })).status).toBe(400);
    }
  },
);
