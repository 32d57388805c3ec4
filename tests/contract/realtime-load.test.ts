import { afterAll, beforeAll, expect, test } from "vitest";
import { connect, signIn } from "#tests/support/realtime/clients.ts";
import { officialClient, runLoad } from "#tests/support/realtime/load.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer();
});
afterAll(() => server.close());

const insert = (message: string) => server.sql`
  insert into contact_messages (name, email, message) values ('x', 'x@example.org', ${message})`;

// The benchmark measures latency; here clients and other tests share the cores.
test("delivers 20 messages a second to each of 200 accounts, each once", async () => {
  const tokens = await Promise.all(Array.from({ length: 200 }, () => signIn(server)));
  const result = await runLoad({
    subscribers: tokens.map((token) => officialClient(connect(server, token))),
    insertsPerSecond: 20,
    seconds: 5,
    insert,
  });
  expect(result).toMatchObject({ expected: 20_000, complete: true });
  expect(server.lines).toEqual([]);
});

type Subscriber = ReturnType<typeof officialClient>;

/** Hears the first message `times` times. */
const faulty =
  (subscriber: Subscriber, times: number): Subscriber =>
  (onMessage) => {
    let isFirst = true;
    return subscriber((message) => {
      const heard = isFirst ? times : 1;
      isFirst = false;
      for (let time = 0; time < heard; time += 1) {
        onMessage(message);
      }
    });
  };

test("the check detects a lost and a doubled event", async () => {
  const token = await signIn(server);
  const result = await runLoad({
    subscribers: [2, 0].map((times) => faulty(officialClient(connect(server, token)), times)),
    insertsPerSecond: 5,
    seconds: 1,
    insert,
  });
  expect(result).toMatchObject({ expected: 10, sinceCommit: { count: 10 }, complete: false });
});
