import { Socket } from "node:net";
import {
  openPool,
  socketFolder,
  socketPath,
  type SqlPool,
  superuserPassword,
} from "embedded-supabase/testing";

export { openSuperuser } from "embedded-supabase/testing";

/** Returns a SUPABASE_DB_URL that reaches a running database as role postgres. */
export async function databaseUrl(dataDir: string): Promise<string> {
  const params = new URLSearchParams({
    host: await socketFolder(dataDir),
    user: "supabase_admin",
    password: await superuserPassword(dataDir),
    options: "-c role=postgres",
    sslmode: "disable",
  });
  return `postgresql:///postgres?${params}`;
}

/** Runs `work` while the database lacks a function that the site calls. */
export async function without<Result>(
  { dataDir }: { dataDir: string },
  name: string,
  work: () => Promise<Result>,
): Promise<Result> {
  const rename = (from: string, to: string) =>
    withSuperuser(dataDir, (sql) => sql.script(`alter function public.${from} rename to ${to}`));
  await rename(name, `not_${name}`);
  return work().finally(() => rename(`not_${name}`, name));
}

/** The socket of a site's PostgreSQL, whose folder is another one after a restart. */
class SiteSocket extends Socket {
  readonly #dataDir: string;

  constructor(dataDir: string) {
    super();
    this.#dataDir = dataDir;
  }

  override connect(): this {
    socketFolder(this.#dataDir).then(
      (folder) => super.connect(socketPath(folder)),
      (error: Error) => this.destroy(error),
    );
    return this;
  }
}

/** The superuser's login at a site's PostgreSQL. */
export const superuserLogin = (dataDir: string) => ({
  stream: () => new SiteSocket(dataDir),
  database: "postgres",
  user: "supabase_admin",
  password: () => superuserPassword(dataDir),
  // Tests end their sites without closing these.
  idleTimeoutMillis: 1_000,
});

const pools = new Map<string, SqlPool>();

/**
 * Works as superuser on the database of a running site. All calls share a pool, because a new connection
 * takes 17 ms of CPU: nothing may be set for a session.
 */
export function withSuperuser<Result>(
  dataDir: string,
  work: (sql: SqlPool) => Promise<Result>,
): Promise<Result> {
  const pool = pools.get(dataDir) ?? openPool(superuserLogin(dataDir));
  pools.set(dataDir, pool);
  return work(pool);
}
