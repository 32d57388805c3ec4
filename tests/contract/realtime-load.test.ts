import { afterAll, beforeAll, expect, it } from "vitest";

import { signIn } from "./realtime-clients.ts";
import { runLoad } from "./realtime-load.ts";
import { startRealtimeServer } from "./realtime-server.ts";
import type { RealtimeServer } from "./realtime-server.ts";

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer({ socketsPerAddress: 500 });
});
afterAll(() => server.close());

it("brings 50 messages a second to each of 500 accounts, once and in time", async () => {
  const tokens = await Promise.all(Array.from({ length: 500 }, () => signIn(server)));
  const result = await runLoad({
    url: server.url,
    apikey: server.keys.publishableKey,
    tokens,
    insertsPerSecond: 50,
    seconds: 5,
    insert: (message) => server.sql`
      insert into contact_messages (name, email, message) values ('x', 'x@example.org', ${message})`,
  });
  expect(result).toMatchObject({ expected: 125_000, complete: true });
  // The benchmark holds the figure of 250 ms; here clients and other tests share the two cores.
  expect(result.sinceCommit.p95).toBeLessThan(2_000);
  expect(server.lines).toEqual([]);
}, 60_000);
