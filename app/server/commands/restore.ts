import type { ClientConfig } from "pg";
import { log } from "#app/lib/log.server.ts";
import { withEmbedded } from "#app/server/backend/with-embedded.ts";
import { checkReadiness } from "#app/server/readiness.ts";
import type { Env } from "#app/server/settings.ts";
import { connect, openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { type Copy, readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";
import { migrationsDir } from "./transfer/migrations.ts";

await runCommand(async (env) => {
  const copy = await readCopy(fileArgument("restore"), env.BACKUP_PASSPHRASE);
  const lines = env.SUPABASE_URL ? await fillOutside(env, copy) : await makeFolder(env, copy);
  const { time, version } = copy.header;
  console.log(
    `${env.SUPABASE_URL ?? env.DATA_DIR} is as it was on ${time}, with version ${version} of the site. ${env.SUPABASE_URL ? "Start the site again if it runs." : "npm start opens it."}`,
  );
  lines.forEach((line) => console.log(line));
});

async function fillOutside(env: Env, copy: Copy): Promise<string[]> {
  await using database = await openOwnDatabase(env);
  return await load(database.client, copy, { keys: database.keys, isEmbedded: false });
}

async function makeFolder(env: Env, copy: Copy): Promise<string[]> {
  // Refuses the folder that the start would refuse.
  checkReadiness(env);
  const fill = async (login: ClientConfig, keys: string) => {
    const client = await connect(login);
    return load(client, copy, { keys, isEmbedded: true }).finally(() => client.end());
  };
  const made = { migrationsDir, keyFile: copy.keys, log };
  return withEmbedded(import("embedded-supabase/maintenance"), ({ makeDatabase }) =>
    makeDatabase(env.DATA_DIR, made, fill),
  );
}
