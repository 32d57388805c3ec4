import type { TestServer } from "./embedded-server.ts";
import { databaseUrl } from "./superuser.ts";

/** The settings of commands beside a hosted Supabase, which the server stands for. */
export const hostedEnv = async ({ url, dataDir }: Pick<TestServer, "url" | "dataDir">) => ({
  SUPABASE_URL: url,
  SUPABASE_DB_URL: await databaseUrl(dataDir),
});
