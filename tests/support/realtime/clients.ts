import { randomUUID } from "node:crypto";
import {
  createClient,
  type RealtimeChannel,
  type RealtimePostgresChangesPayload,
} from "@supabase/supabase-js";
import { signAccessToken } from "#embedded/tokens.ts";
import type { RealtimeServer } from "./server.ts";

/** Creates an official client with a token. */
const connect = ({ transport }: RealtimeServer, token: string) =>
  createClient("http://localhost", "sb_publishable_of_tests", {
    realtime: { transport, timeout: 5_000 },
    accessToken: async () => token,
  });

/** Creates a user with a session. Returns its access token. `claims` override the default ones. */
export async function signIn(
  { keys, auth }: RealtimeServer,
  claims: Record<string, unknown> & { exp?: number } = {},
): Promise<string> {
  const sub = randomUUID();
  const sessionId = randomUUID();
  await auth`insert into auth.users (id, email) values (${sub}, ${`${sub}@example.org`})`;
  await auth`insert into auth.sessions (id, user_id) values (${sessionId}, ${sub})`;
  const now = Math.floor(Date.now() / 1000);
  return signAccessToken(keys, {
    aud: "authenticated",
    role: "authenticated",
    iat: now,
    exp: now + 3600,
    sub,
    session_id: sessionId,
    aal: "aal1",
    ...claims,
  });
}

type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;

/** Subscribes a channel to the messages and collects its events, system messages and states. */
function listen(channel: RealtimeChannel) {
  const events: (Payload & { errors: string[] | null })[] = [];
  const system: { status: string; message: string; extension: string }[] = [];
  const statuses: string[] = [];
  const changes = { schema: "public", table: "contact_messages" };
  const add = (payload: Payload) =>
    void events.push(payload as Payload & { errors: string[] | null });
  channel
    .on("postgres_changes", { ...changes, event: "INSERT" }, add)
    .on("postgres_changes", { ...changes, event: "UPDATE" }, add)
    .on("system", {}, (payload: (typeof system)[number]) => void system.push(payload));
  const subscribed = new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      statuses.push(status);
      if (status === "SUBSCRIBED") {
        resolve();
      } else if (!statuses.includes("SUBSCRIBED")) {
        reject(error ?? new Error(`The channel is ${status}`));
      }
    });
  });
  return { channel, events, system, statuses, subscribed };
}

/** Waits for a condition. Rejects after `ms`. */
export async function until(condition: () => unknown, ms = 20_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) {
      throw new Error(`Not within ${ms} ms: ${condition}`);
    }
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

const connected: ReturnType<typeof connect>[] = [];

/** Opens a client with a token that listens to the messages, and waits for the subscription. */
export async function subscribe(server: RealtimeServer, token: string) {
  const client = connect(server, token);
  connected.push(client);
  await client.realtime.setAuth();
  const listener = listen(client.channel("changes"));
  await listener.subscribed;
  return { ...listener, client };
}

/** Disconnects the clients of all `subscribe` calls. */
export async function disconnectAll(): Promise<void> {
  for (const client of connected.splice(0)) {
    await client.removeAllChannels();
    await client.realtime.disconnect();
  }
}
