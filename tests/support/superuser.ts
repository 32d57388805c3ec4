import { socketFolder, superuserPassword } from "embedded-supabase/testing";

export { openSuperuser, withSuperuser } from "embedded-supabase/testing";

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
