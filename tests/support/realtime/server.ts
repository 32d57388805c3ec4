import { type Keys, loadKeys } from "#embedded/keys.ts";
import { createRealtime } from "#embedded/realtime/index.ts";
import type { Transport } from "#embedded/realtime/transport.ts";
import type { SqlPool } from "#embedded/sql.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { recordingLog } from "#tests/support/log.ts";

export interface RealtimeServer {
  transport: Transport;
  keys: Keys;
  /** Connects as role postgres. */
  sql: SqlPool;
  superuser: SqlPool;
  /** Connects as supabase_auth_admin. */
  auth: SqlPool;
  /** The log of the service. */
  lines: string[];
  close(): Promise<void>;
}

/** Starts only the realtime service, on its own database, to which the test has access. */
export async function startRealtimeServer(): Promise<RealtimeServer> {
  const { database, dataDir, sql, superuser, close } = await startTestDatabase();
  const lines: string[] = [];
  const held = new AsyncDisposableStack();
  held.defer(close);
  const keys = await loadKeys(dataDir);
  const realtime = await createRealtime({ database, keys, log: recordingLog(lines) });
  held.defer(() => realtime.close());
  return {
    transport: realtime.transport,
    keys,
    sql,
    superuser,
    auth: database.auth,
    lines,
    close: () => held.disposeAsync(),
  };
}
