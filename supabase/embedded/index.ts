import { createAuth } from "./auth/index.ts";
import type { Limits } from "./auth/limits.ts";
import type { AccountChange, Mail, MailOutcome } from "./auth/mail.ts";
import { type Call, listCalls, unlistedCall, withoutIds } from "./calls.ts";
import { openPools } from "./database.ts";
import { openDataDir } from "./engine/paths.ts";
import { createLive, type Live } from "./live/index.ts";
import type { Log } from "./log.ts";
import { prepare } from "./prepare.ts";
import { createRest } from "./rest/index.ts";

export { EngineError } from "./engine/engine-error.ts";

export interface EmbeddedOptions {
  dataDir: string;
  migrationsDir: string;
  /**
   * Called with the names of new migrations before they run on a database that already has some. The commands
   * of maintenance.ts can open the database meanwhile. No migration runs if it rejects.
   */
  beforeUpdate?: (migrations: string[]) => Promise<void>;
  /** The calls that are answered. REST calls have one JSON object as their body. */
  calls: readonly Call[];
  /** Origin of the site; tokens are issued by `<siteUrl>/auth/v1`. */
  siteUrl: string;
  /** Whether new accounts confirm their address before they can sign in. */
  confirmEmail: boolean;
  /** Returns what counts mails for the authentication. */
  limits: (callAsSite: CallAsSite) => Limits;
  /** Writes and sends a mail. Never rejects. */
  sendMail: (mail: Mail) => Promise<MailOutcome> | undefined;
  /**
   * Called after a change that only the holder of the account should have made, with the address that the
   * account had before the change.
   */
  onAccountChange: (change: AccountChange, email: string) => void;
  log: Log;
  /** In milliseconds. */
  now?: () => number;
}

/** Calls a function that only the site may call, and answers as `fetch` does. */
export type CallAsSite = (name: string, args: object) => Promise<Response>;

export interface Embedded {
  /**
   * The key for supabase-js. Nothing reads it: only this process can call, and the token alone decides what a
   * caller may do.
   */
  publishableKey: string;
  cookieSecret: string;
  /** Answers the calls of the list. Another one gets a 404, and is logged as an error. */
  fetch(request: Request): Promise<Response>;
  callAsSite: CallAsSite;
  /**
   * Deletes a batch of expired rows of the authentication: sessions, tokens, factors that were never
   * verified. Returns how many. The site calls it daily until it returns 0.
   */
  sweep(): Promise<number>;
  listen: Live["listen"];
  /** Whether the database accepts a new connection within a second, and its changes arrive. */
  healthy(): Promise<boolean>;
  close(): Promise<void>;
}

/** Starts the backend on a data folder. Throws EngineError for an error that the owner can fix. */
export async function startEmbedded(options: EmbeddedOptions): Promise<Embedded> {
  const { siteUrl, log, now = Date.now, confirmEmail, sendMail, onAccountChange } = options;
  const calls = listCalls(options.calls);
  const dataDir = await openDataDir(options.dataDir);
  const running = new AsyncDisposableStack();
  try {
    const { cluster, keys, passwords } = await prepare(dataDir, options);
    running.defer(() => cluster.stop());
    const database = openPools(cluster.socketDir, passwords);
    running.defer(() => database.close());
    const limits = options.limits((name, args) => rest.callAsSite(name, args));
    const auth = createAuth({
      db: database.auth,
      keys,
      confirmEmail,
      limits,
      sendMail,
      onAccountChange,
      now,
      log,
      siteUrl,
    });
    running.defer(() => auth.close());
    const rest = await createRest({ calls, database, keys, now, log });
    const live = await createLive({ cluster, database, keys, log });
    running.defer(() => live.close());
    return {
      publishableKey: "sb_publishable_embedded",
      cookieSecret: keys.derive("cookie").toString("base64url"),
      fetch: async (request) => {
        const call = calls.find(request);
        if (!call) {
          log.error(unlistedCall, withoutIds(request));
          return Response.json({ message: "Not found" }, { status: 404 });
        }
        return call.path.startsWith("/rest/v1/") ? rest.fetch(request) : auth.fetch(request);
      },
      callAsSite: rest.callAsSite,
      sweep: auth.sweep,
      listen: live.listen,
      healthy: async () => live.isConnected() && (await cluster.answers()),
      close: () => running.disposeAsync(),
    };
  } catch (error) {
    await running.disposeAsync();
    throw error;
  }
}
