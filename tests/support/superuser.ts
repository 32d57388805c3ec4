import { socketFolder, superuserPassword, withSuperuser } from "embedded-supabase/testing";

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
