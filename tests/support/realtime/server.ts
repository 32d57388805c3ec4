import { loadKeys } from "#embedded/keys.ts";
import { createRealtime } from "#embedded/realtime/index.ts";
import { startTestDatabase } from "#tests/support/database.ts";
import { recordingLog } from "#tests/support/log.ts";

export type RealtimeServer = Awaited<ReturnType<typeof startRealtimeServer>>;

/** Starts only the realtime service, on its own database, to which the test has access. */
export async function startRealtimeServer() {
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
    /** Connects as role postgres. */
    sql,
    superuser,
    /** Connects as supabase_auth_admin. */
    auth: database.auth,
    /** The log of the service. */
    lines,
    close: () => held.disposeAsync(),
  };
}
