import postgres, { type Options, type PostgresType, type Sql } from "postgres";

import type { LoginRole, Passwords } from "./engine/bootstrap.ts";
import { socketPath } from "./engine/socket-folder.ts";
import { TransactionSocket } from "./engine/socket.ts";

export type { Sql };

export interface Database {
  /** As supabase_auth_admin, the owner of schema auth. */
  auth: Sql;
  /** As authenticator, which has no rights before `set local role` to one of the API roles. */
  authenticator: Sql;
  /** For a further postgres.js client of one's own, such as the replication connection. */
  connectionOptions(role: LoginRole): Options<Record<string, PostgresType>>;
  close(): Promise<void>;
}

/** Opens the pools (lazily: the first query connects). A pool survives a restart of Postgres. */
export function openDatabase(socketDir: string, passwords: Passwords): Database {
  const path = socketPath(socketDir);
  const connectionOptions = (role: LoginRole) => ({
    // Not among postgres.js' types, but in its documentation ("Custom socket").
    socket: () => TransactionSocket.open(path),
    database: "postgres",
    username: role,
    password: passwords[role],
    connect_timeout: 5,
    // Seconds between attempts; by default they grow to 20, long after Postgres is back.
    backoff: () => 0.2,
    onnotice: () => undefined,
  });
  const auth = postgres({ ...connectionOptions("supabase_auth_admin"), max: 10, idle_timeout: 60 });
  const authenticator = postgres({
    ...connectionOptions("authenticator"),
    max: 10,
    idle_timeout: 60,
  });
  return {
    auth,
    authenticator,
    connectionOptions,
    close: async () => {
      await Promise.all([auth.end({ timeout: 5 }), authenticator.end({ timeout: 5 })]);
    },
  };
}
