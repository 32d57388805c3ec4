import type { ClientConfig } from "pg";
import { openPool, type SqlPool } from "#embedded/sql.ts";
import { port } from "./socket-folder.ts";

export interface SuperuserAccess {
  /** Folder of the Unix socket; pg accepts it as host. */
  socketDir: string;
  superuserPassword: string;
}

/** What pg needs to connect. */
export const loginAs = (user: string, password: string, socketDir: string): ClientConfig => ({
  host: socketDir,
  port,
  database: "postgres",
  user,
  password,
  // A Unix socket has no TLS, even if the environment asks for it.
  ssl: false,
});

/** What pg needs to connect as superuser. */
export const superuserLogin = ({ socketDir, superuserPassword }: SuperuserAccess): ClientConfig =>
  loginAs("supabase_admin", superuserPassword, socketDir);

/** One connection, which opens at the first statement. */
export function connectAsSuperuser(access: SuperuserAccess): SqlPool {
  return openPool({ ...superuserLogin(access), max: 1, idleTimeoutMillis: 0 });
}
