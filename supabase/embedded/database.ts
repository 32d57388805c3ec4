import type { ClientConfig } from "pg";
import type { LoginRole, Passwords } from "./engine/bootstrap.ts";
import { loginAs } from "./engine/superuser.ts";
import { openPool, type SqlPool } from "./sql.ts";

/** The logins of the REST layer have no rights until `set local role` sets an API role. */
export interface Pools {
  /** As supabase_auth_admin, the owner of schema auth. */
  auth: SqlPool;
  /** As authenticator, for live changes, which the load of the REST layer must not delay. */
  authenticator: SqlPool;
  /** As authenticator, for visitors and accounts. It cannot become service_role. */
  visitors: SqlPool;
  /** As service_authenticator, for the site itself. */
  service: SqlPool;
  login(role: LoginRole): ClientConfig;
  close(): Promise<void>;
}

/** Returns pools that connect at the first query and survive a restart of PostgreSQL. */
export function openPools(socketDir: string, passwords: Passwords): Pools {
  const login = (role: LoginRole) => ({
    ...loginAs(role, passwords[role], socketDir),
    // This also limits the wait for a free connection.
    connectionTimeoutMillis: 5_000,
  });
  const restPool = (role: LoginRole) =>
    openPool({
      ...login(role),
      max: 16,
      // A server process takes several megabytes, and most of them are needed only under high load.
      min: 2,
      idleTimeoutMillis: 5_000,
      // Only transactions may write. The search_path is the one that each transaction sets anyway, because
      // PostgreSQL reports every change of it to the client.
      options: "-c default_transaction_read_only=on -c search_path=public,extensions",
    });
  const pools = {
    auth: openPool({ ...login("supabase_auth_admin"), max: 10, idleTimeoutMillis: 10_000 }),
    authenticator: openPool({ ...login("authenticator"), max: 4, idleTimeoutMillis: 60_000 }),
    visitors: restPool("authenticator"),
    service: restPool("service_authenticator"),
  };
  return {
    ...pools,
    login,
    close: async () => {
      await Promise.all(Object.values(pools).map((pool) => pool.end()));
    },
  };
}
