import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import type { Sql } from "postgres";
import { type Keys, loadKeys } from "#embedded/keys.ts";
import { createRealtime } from "#embedded/realtime/index.ts";
import type { RealtimeLimits } from "#embedded/realtime/limits.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { recordingLog } from "#tests/support/log.ts";

export interface RealtimeServer {
  url: string;
  keys: Keys;
  /** Connects as role postgres. */
  sql: Sql;
  superuser: Sql;
  /** Connects as supabase_auth_admin. */
  auth: Sql;
  /** The log of the service. */
  lines: string[];
  /** Moves the clock of the service. */
  advance(ms: number): void;
  close(): Promise<void>;
}

/**
 * Starts only the realtime service, on its own database. Unlike startTestServer, it lets a test set
 * the limits and the clock and access the database.
 */
export async function startRealtimeServer(
  limits: Partial<RealtimeLimits> = {},
): Promise<RealtimeServer> {
  const { database, dataDir, sql, superuser, close } = await startTestDatabase();
  // The migrations do not publish deletions.
  await sql`alter publication supabase_realtime set (publish = 'insert, update, delete, truncate')`;
  const lines: string[] = [];
  let offset = 0;
  const held = new AsyncDisposableStack();
  held.defer(close);
  const keys = await loadKeys(dataDir);
  const realtime = await createRealtime({
    database,
    keys,
    now: () => Date.now() + offset,
    limits: { sessionCheckMs: 500, joinsPerSecond: 1_000, ...limits },
    log: recordingLog(lines),
  });
  const http = createServer();
  http.on("upgrade", (request, socket, head) =>
    // Like a trusted proxy.
    realtime.upgrade(request, socket, head, {
      address: String(request.headers["x-forwarded-for"] ?? request.socket.remoteAddress),
    }),
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
