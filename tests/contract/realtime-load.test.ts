import { afterAll, beforeAll, expect, test } from "vitest";
import { signIn } from "#tests/support/realtime/clients.ts";
import { officialClient, runLoad } from "#tests/support/realtime/load.ts";
import { type RealtimeServer, startRealtimeServer } from "#tests/support/realtime/server.ts";

let server: RealtimeServer;

beforeAll(async () => {
  server = await startRealtimeServer({ socketsPerAddress: 200 });
});
afterAll(() => server.close());

const access = () => ({ url: server.url, apikey: server.keys.publishableKey });
const insert = (message: string) => server.sql`
  insert into contact_messages (name, email, message) values ('x', 'x@example.org', ${message})`;

// The benchmark measures latency; here clients and other tests share the cores.
test("delivers 20 messages a second to each of 200 accounts, each once", async () => {
  const tokens = await Promise.all(Array.from({ length: 200 }, () => signIn(server)));
  const result = await runLoad({
    subscribers: tokens.map((token) => officialClient({ ...access(), token })),
    insertsPerSecond: 20,
    seconds: 5,
    insert,
  });
  expect(result).toMatchObject({ expected: 20_000, complete: true });
  expect(server.lines).toEqual([]);
});

let sockets = 0;
/** Doubles the first event of the first socket and drops that of the second. */
class FaultySocket extends WebSocket {
  readonly #copies: number[] = [[2], [0]][sockets++] ?? [];

  override set onmessage(handler: WebSocket["onmessage"]) {
    this.addEventListener("message", (event) => {
      const isChange = String(event.data).includes('"postgres_changes",{"ids"');
      const copies = (isChange ? this.#copies.shift() : undefined) ?? 1;
      for (let copy = 0; copy < copies; copy += 1) {
        handler?.call(this, event);
      }
    });
  }
}

test("the check detects a lost and a doubled event", async () => {
  const token = await signIn(server);
  const result = await runLoad({
    subscribers: [token, token].map((own) =>
      officialClient({ ...access(), token: own, transport: FaultySocket }),
    ),
    insertsPerSecond: 5,
    seconds: 1,
    insert,
  });
  expect(result).toMatchObject({ expected: 10, sinceCommit: { count: 10 }, complete: false });
});
