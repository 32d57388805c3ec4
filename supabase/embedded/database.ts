import postgres, { type Options, type PostgresType, type Sql } from "postgres";
import type { LoginRole, Passwords } from "./engine/bootstrap.ts";
import { socketPath } from "./engine/socket-folder.ts";
import { TransactionSocket } from "./engine/socket.ts";
import { TransactionPool } from "./transactions.ts";

export type { Sql };

/** The logins of the REST layer have no rights until `set local role` sets an API role. */
export interface Database {
  /** As supabase_auth_admin, the owner of schema auth. */
  auth: Sql;
  /** As authenticator, separate from the REST layer, whose load must not delay this one. */
  authenticator: Sql;
  /** As authenticator, for visitors and accounts. It cannot become service_role. */
  visitors: TransactionPool;
  /** As service_authenticator, for the site itself. */
  service: TransactionPool;
  connectionOptions(role: LoginRole): Options<Record<string, PostgresType>>;
  close(): Promise<void>;
}

/** Returns pools that connect at the first query and survive a restart of PostgreSQL. */
export function openDatabase(socketDir: string, passwords: Passwords): Database {
  const path = socketPath(socketDir);
  const connectionOptions = (role: LoginRole) => ({
    // Missing in the types of postgres.js, but documented ("Custom socket").
    socket: () => TransactionSocket.open(path),
    database: "postgres",
    username: role,
    password: passwords[role],
    connect_timeout: 5,
    // Seconds between attempts. The default grows to 20, too long after a restart.
    backoff: () => 0.2,
    onnotice: () => undefined,
  });
  const transactionPool = (role: LoginRole) =>
    new TransactionPool(
      (place, onclose) =>
        postgres({
          ...connectionOptions(role),
          max: 1,
          fetch_types: false,
          // A server process takes several megabytes, and most are needed under high load only.
          idle_timeout: place < 2 ? 60 : 5,
          onclose,
          connection: {
            // Writes are allowed inside transactions only.
            default_transaction_read_only: true,
            // As in each transaction, because PostgreSQL reports every change to the client.
            search_path: "public, extensions",
          },
        }),
      16,
    );
  const pools = {
    auth: postgres({ ...connectionOptions("supabase_auth_admin"), max: 10, idle_timeout: 10 }),
    authenticator: postgres({
      ...connectionOptions("authenticator"),
      max: 2,
      idle_timeout: 60,
      fetch_types: false,
    }),
    visitors: transactionPool("authenticator"),
    service: transactionPool("service_authenticator"),
  };
  return {
    ...pools,
    connectionOptions,
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end({ timeout: 5 })));
    },
  };
}
