import { chmod, mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:http";
import { type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import postgres, { type Sql } from "postgres";
import { openDatabase } from "#supabase/embedded/database.ts";
import { bootstrap } from "#supabase/embedded/engine/bootstrap.ts";
import { startCluster } from "#supabase/embedded/engine/cluster.ts";
import { openDataDir } from "#supabase/embedded/engine/paths.ts";
import { runMigrations } from "#supabase/embedded/engine/migrations.ts";
import { type Keys, loadKeys } from "#supabase/embedded/keys.ts";
import { createRealtime } from "#supabase/embedded/realtime/index.ts";
import { type RealtimeLimits } from "#supabase/embedded/realtime/limits.ts";

const migrationsDir = new URL("../../../supabase/migrations", import.meta.url).pathname;
const authSchema = new URL("../../../supabase/embedded/auth/schema.sql", import.meta.url);

export interface RealtimeServer {
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
}

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
  const passwords = await bootstrap(cluster, await readFile(authSchema, "utf8"));
  const database = openDatabase(cluster.socketDir, passwords);
  held.defer(() => database.close());
  const migrator = postgres({ ...database.connectionOptions("postgres"), max: 1 });
  await runMigrations(migrator, migrationsDir).finally(() => migrator.end());
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
    // As a trusted proxy tells it.
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
