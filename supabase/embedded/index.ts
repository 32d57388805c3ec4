import { readFile } from "node:fs/promises";
import postgres from "postgres";
import type { Brand } from "#supabase/shared/mail.ts";
import { createAuth } from "./auth/index.ts";
import type { AuthSettings } from "./auth/settings.ts";
import { type Database, openDatabase } from "./database.ts";
import { bootstrap } from "./engine/bootstrap.ts";
import { startCluster } from "./engine/cluster.ts";
import { runMigrations } from "./engine/migrations.ts";
import { openDataDir } from "./engine/paths.ts";
import { loadKeys } from "./keys.ts";
import type { Log } from "./log.ts";
import { createMailer, type MailSettings } from "./mail/mailer.ts";
import { missing } from "./missing.ts";
import { createRealtime } from "./realtime/index.ts";
import type { Transport } from "./realtime/transport.ts";
import { createRest } from "./rest/index.ts";
import { targetOf } from "./target.ts";

export { StartError } from "./engine/start-error.ts";

export interface EmbeddedOptions {
  dataDir: string;
  migrationsDir: string;
  /** Origin of the site; tokens are issued by `<siteUrl>/auth/v1`. */
  siteUrl: string;
  auth: Partial<AuthSettings>;
  /** Without it, mails are written to files in the data folder. */
  mail?: MailSettings | undefined;
  /** The name and the colours of mails. */
  brand: Brand;
  log: Log;
  /** In milliseconds. */
  now?: () => number;
}

export interface Client {
  address: string;
  /** The request's headers, names and values alternating. Listing those of a Request is slow. */
  rawHeaders?: readonly string[];
  /** Whether it is the site itself, which limits its visitors and logs that. */
  isSite?: boolean;
}

export interface Embedded {
  publishableKey: string;
  secretKey: string;
  cookieSecret: string;
  pushSecret: string;
  /** Serves /auth/v1/* and /rest/v1/*. Other paths get a 404 in JSON. */
  fetch(request: Request, client: Client): Promise<Response>;
  realtimeTransport: Transport;
  /** Whether the database accepts a new connection and answers within a second. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

/** Starts the backend on a data folder. Throws StartError for an error that the owner can fix. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { siteUrl, log, now = Date.now, auth: settings } = options;
  const dataDir = await openDataDir(options.dataDir);
  const running = new AsyncDisposableStack();
  try {
    const cluster = await startCluster(dataDir, log);
    running.defer(() => cluster.stop());
    const keys = await loadKeys(dataDir);
    const authSchema = await readFile(new URL("auth/schema.sql", import.meta.url), "utf8");
    const passwords = await bootstrap(cluster, authSchema);
    const database = openDatabase(cluster.socketDir, passwords);
    running.defer(() => database.close());
    await migrate(database, options.migrationsDir);
    const mailer = createMailer(options.mail, dataDir, options.brand, log);
    running.defer(() => mailer.close());
    const auth = createAuth({ db: database.auth, keys, settings, mailer, now, log, siteUrl });
    running.defer(() => auth.close());
    const rest = await createRest({ database, keys, now, log });
    const realtime = await createRealtime({ database, keys, log });
    running.defer(() => realtime.close());
    return {
      publishableKey: keys.publishableKey,
      secretKey: keys.secretKey,
      cookieSecret: keys.derive("cookie").toString("base64url"),
      pushSecret: keys.derive("push").toString("base64url"),
      fetch: async (request, client) => {
        const { path } = targetOf(request);
        if (path.startsWith("/auth/v1/")) {
          return auth.fetch(request, client);
        }
        if (path.startsWith("/rest/v1/")) {
          return rest.fetch(request, client);
        }
        return missing.fetch(request);
      },
      realtimeTransport: realtime.transport,
      healthy: cluster.answers,
      close: () => running.disposeAsync(),
    };
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
}

async function migrate(database: Database, migrationsDir: string): Promise<void> {
  const sql = postgres({ ...database.connectionOptions("postgres"), max: 1, fetch_types: false });
  try {
    await runMigrations(sql, migrationsDir);
  } finally {
    await sql.end();
  }
}
