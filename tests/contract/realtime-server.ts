import { randomUUID } from "node:crypto";
import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createClient } from "@supabase/supabase-js";
import type { RealtimeChannel, RealtimePostgresChangesPayload } from "@supabase/supabase-js";
import postgres from "postgres";
import type { Sql } from "postgres";

import { openDatabase } from "#supabase/embedded/database.ts";
import { bootstrap } from "#supabase/embedded/engine/bootstrap.ts";
import { startCluster } from "#supabase/embedded/engine/cluster.ts";
import { openDataDir } from "#supabase/embedded/engine/layout.ts";
import { runMigrations } from "#supabase/embedded/engine/migrations.ts";
import { loadKeys } from "#supabase/embedded/keys.ts";
import type { Keys } from "#supabase/embedded/keys.ts";
import { createRealtime } from "#supabase/embedded/realtime/index.ts";
import type { RealtimeLimits } from "#supabase/embedded/realtime/index.ts";
import { signAccessToken } from "#supabase/embedded/tokens.ts";

const MIGRATIONS = new URL("../../supabase/migrations", import.meta.url).pathname;
const AUTH_SCHEMA = new URL("../../supabase/embedded/auth/schema.sql", import.meta.url);

export type RealtimeServer = {
  url: string;
  keys: Keys;
  /** As role postgres, which runs migrations. */
  sql: Sql;
  superuser: Sql;
  /** As the owner of schema auth. */
  auth: Sql;
  /** What the service logged. */
  lines: string[];
  /** Moves the clock of the service. */
  advance(ms: number): void;
  close(): Promise<void>;
};

/**
 * The real-time service alone, on a database and a data folder of its own behind a real HTTP
 * server: unlike startTestServer it lets a test set limits and the clock, and reach the database.
 */
export async function startRealtimeServer(
  limits: Partial<RealtimeLimits> = {},
): Promise<RealtimeServer> {
  const folder = await mkdtemp(join(tmpdir(), "site-"));
  // Lets the account that Postgres runs as pass when the tests run as root.
  await chmod(folder, 0o711);
  const lines: string[] = [];
  let offset = 0;
  const held = new AsyncDisposableStack();
  held.defer(() => rm(folder, { recursive: true, force: true }));
  const dataDir = await openDataDir(join(folder, "data"));
  const cluster = await startCluster(dataDir, () => undefined);
  held.defer(() => cluster.stop());
  const keys = await loadKeys(dataDir);
  const passwords = await bootstrap(cluster, await readFile(AUTH_SCHEMA, "utf8"));
  const database = openDatabase(cluster.socketDir, passwords);
  held.defer(() => database.close());
  const migrator = postgres({ ...database.connectionOptions("postgres"), max: 1 });
  await runMigrations(migrator, MIGRATIONS).finally(() => migrator.end());
  const sql = postgres({ ...database.connectionOptions("postgres"), max: 10 });
  held.defer(() => sql.end({ timeout: 1 }));
  const superuser = postgres({
    ...database.connectionOptions("postgres"),
    username: "supabase_admin",
    password: cluster.superuserPassword,
    max: 1,
  });
  held.defer(() => superuser.end({ timeout: 1 }));
  const realtime = await createRealtime({
    database,
    keys,
    now: () => Date.now() + offset,
    limits: { sessionCheckMs: 500, joinsPerSecond: 1_000, ...limits },
    log: (line) => void lines.push(line),
  });
  const http = createServer();
  http.on("upgrade", (request, socket, head) =>
    realtime.upgrade(request, socket, head, { address: request.socket.remoteAddress ?? "" }),
  );
  await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
  held.defer(() => new Promise<void>((resolve) => http.close(() => resolve())));
  held.defer(() => realtime.close());
  return {
    url: `http://127.0.0.1:${(http.address() as AddressInfo).port}`,
    keys,
    sql,
    superuser,
    auth: database.auth,
    lines,
    advance: (ms) => void (offset += ms),
    close: () => held.disposeAsync(),
  };
}

/** A client of the kind that the inbox uses: with a token, or without one as a visitor. */
export function connect(
  { url, keys }: RealtimeServer,
  options: { token?: string; key?: string; vsn?: "1.0.0" | "2.0.0" } = {},
) {
  const { token, key = keys.publishableKey, vsn = "2.0.0" } = options;
  return createClient(url, key, {
    realtime: { vsn, timeout: 5_000 },
    ...(token ? { accessToken: async () => token } : {}),
  });
}

/** Signs in: a user with a session, and the token of it. `claims` replace or add to the usual. */
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

export type Payload = RealtimePostgresChangesPayload<Record<string, unknown>>;

/** Collects what a channel hears; `next` waits for the entry at a place and fails after 5 s. */
export function listen(channel: RealtimeChannel, filter: Record<string, unknown>) {
  const events: (Payload & { errors: string[] | null })[] = [];
  const system: { status: string; message: string; extension: string }[] = [];
  const statuses: string[] = [];
  channel
    .on("postgres_changes", filter as { event: "*"; schema: string }, (payload) => {
      events.push(payload as Payload & { errors: string[] | null });
    })
    .on("system", {}, (payload: (typeof system)[number]) => void system.push(payload));
  const subscribed = new Promise<void>((resolve, reject) => {
    channel.subscribe((status, error) => {
      statuses.push(status);
      if (status === "SUBSCRIBED") resolve();
      else if (!statuses.includes("SUBSCRIBED"))
        reject(error ?? new Error(`The channel is ${status}`));
    });
  });
  return { channel, events, system, statuses, subscribed };
}

/** Waits until the condition holds; fails after `ms`. */
export async function until(condition: () => unknown, ms = 5_000): Promise<void> {
  const deadline = performance.now() + ms;
  while (!condition()) {
    if (performance.now() > deadline) throw new Error(`Not within ${ms} ms: ${condition}`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}
