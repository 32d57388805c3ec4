import { readFile } from "node:fs/promises";
import { join } from "node:path";
import postgres from "postgres";
import { brand } from "#app/content/brand.server.ts";
import { createAuth } from "#embedded/auth/index.ts";
import type { Database } from "#embedded/database.ts";
import { socketPath } from "#embedded/engine/socket-folder.ts";
import { TransactionSocket } from "#embedded/engine/socket.ts";
import { type Keys, loadKeys } from "#embedded/keys.ts";
import { listedCall } from "#embedded/listed-call.ts";
import { createMailer } from "#embedded/mail/mailer.ts";
import { createRest } from "#embedded/rest/index.ts";
import { TransactionPool } from "#embedded/transactions.ts";
import { silentLog } from "./log.ts";
import { openSuperuser, socketFolder } from "./superuser.ts";

export interface Services {
  keys: Keys;
  /** Answers the calls of the list. Throws for another one. */
  fetch(request: Request, client: { address: string }): Promise<Response>;
}

/**
 * Runs the services of the embedded Supabase in the test's process, on the database of a running
 * site. So a test can be a caller that the site never is: nothing of them listens to the network.
 */
export async function openServices(site: { url: string; dataDir: string }): Promise<Services> {
  const keys = await loadKeys(site.dataDir);
  const database = await openDatabase(site.dataDir);
  const parts = { keys, now: Date.now, log: silentLog };
  const auth = createAuth({
    ...parts,
    db: database.auth,
    settings: {},
    mailer: createMailer(undefined, site.dataDir, brand, silentLog),
    siteUrl: site.url,
  });
  const rest = await createRest({ ...parts, database, onCalled: auth.onCalled });
  return {
    keys,
    fetch: (request, client) => {
      const call = listedCall(request);
      if (!call) {
        throw new Error(`${request.method} ${request.url} is not on the list`);
      }
      return (call.path.startsWith("/rest/") ? rest : auth).fetch(request, client);
    },
  };
}

/** The pools of the services. Only the site knows the passwords of their logins. */
async function openDatabase(dataDir: string): Promise<Database> {
  const password = await readFile(join(dataDir, "database/cluster/superuser-password"), "utf8");
  const connectionOptions = () => ({
    // The folder is another one after a restart.
    socket: async () => TransactionSocket.open(socketPath(await socketFolder(dataDir))),
    database: "postgres",
    username: "supabase_admin",
    password,
    // Tests end their sites without closing these.
    idle_timeout: 1,
    onnotice: () => undefined,
  });
  const pool = () =>
    new TransactionPool(
      (_place, onclose) =>
        postgres({ ...connectionOptions(), max: 1, fetch_types: false, onclose }),
      4,
    );
  const pools = {
    auth: postgres({ ...connectionOptions(), connection: { role: "supabase_auth_admin" } }),
    authenticator: await openSuperuser(dataDir),
    visitors: pool(),
    service: pool(),
  };
  return {
    ...pools,
    connectionOptions,
    close: async () => {
      await Promise.all(Object.values(pools).map((one) => one.end({ timeout: 1 })));
    },
  };
}
