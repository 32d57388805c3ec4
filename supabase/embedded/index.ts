import { readFile } from "node:fs/promises";
import type { IncomingMessage } from "node:http";
import type { Duplex } from "node:stream";

import { Hono } from "hono";
import { bodyLimit } from "hono/body-limit";
import { cors } from "hono/cors";
import postgres from "postgres";

import { openDatabase } from "./database.ts";
import type { Database } from "./database.ts";
import { bootstrap } from "./engine/bootstrap.ts";
import { startCluster } from "./engine/cluster.ts";
import { openDataDir } from "./engine/layout.ts";
import { runMigrations } from "./engine/migrations.ts";
import { loadKeys } from "./keys.ts";
import { createRest } from "./rest.ts";
import type { Rest } from "./rest.ts";
import type { AuthSettings } from "./auth/settings.ts";

export { StartError } from "./engine/start-error.ts";

export type EmbeddedOptions = {
  dataDir: string;
  migrationsDir: string;
  /** Origin of the site; tokens are issued by `<siteUrl>/auth/v1`. */
  siteUrl: string;
  auth: Partial<AuthSettings>;
  /** Milliseconds since 1970. */
  now?: () => number;
  log?: (line: string) => void;
};

export type Client = { address: string };

export type Embedded = {
  publishableKey: string;
  secretKey: string;
  cookieSecret: string;
  /** Answers /auth/v1/* and /rest/v1/*, anything else with 404. */
  fetch(request: Request, client: Client): Promise<Response>;
  /** Takes over a socket that asked for /realtime/v1/websocket. */
  upgrade(request: IncomingMessage, socket: Duplex, head: Buffer, client: Client): void;
  /** Asks the database, for at most a second. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
};

/**
 * Starts the whole backend on a data folder: database, migrations, auth, rest, realtime. Fails
 * with StartError for what the owner can put right; nothing is left running then.
 */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const log = options.log ?? console.error;
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
    const rest = await createRest({ database, keys, now: options.now ?? Date.now });
    running.defer(() => rest.close());
    const gateway = createGateway(rest);
    return {
      publishableKey: keys.publishableKey,
      secretKey: keys.secretKey,
      cookieSecret: keys.cookieSecret,
      fetch: async (request, client) => gateway.fetch(request, { client }),
      upgrade: (_request, socket) => {
        socket.end("HTTP/1.1 404 Not Found\r\nConnection: close\r\n\r\n");
      },
      healthy: () => answers(database.authenticator`select 1`),
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

const MAX_BODY_BYTES = 1024 * 1024;

/** The services behind the headers and limits that hosted's gateway puts before them. */
function createGateway(rest: Rest) {
  const exposeHeaders = ["Content-Range", "Content-Location", "Preference-Applied"];
  return new Hono<{ Bindings: { client: Client } }>()
    .use("/rest/v1/*", cors({ origin: "*", exposeHeaders, maxAge: 86_400 }))
    .use(
      bodyLimit({
        maxSize: MAX_BODY_BYTES,
        // The rest of the body stays unread, so the connection cannot carry another request.
        onError: (c) =>
          c.json({ message: "Request body is larger than 1 MiB" }, 413, { Connection: "close" }),
      }),
    )
    .all("/rest/v1/*", (c) => rest.fetch(c.req.raw, c.env.client))
    .notFound((c) => c.json({ message: "Not found" }, 404));
}

async function answers(query: PromiseLike<unknown>): Promise<boolean> {
  const patience = Promise.withResolvers<boolean>();
  const timer = setTimeout(() => patience.resolve(false), 1_000);
  const asked = Promise.resolve(query).then(
    () => true,
    () => false,
  );
  const answer = await Promise.race([asked, patience.promise]);
  clearTimeout(timer);
  return answer;
}
