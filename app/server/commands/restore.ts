import type { ClientConfig } from "pg";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { checkReadiness } from "#app/server/readiness.ts";
import { withEmbedded } from "#app/server/with-embedded.ts";
import { connect } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";
import { migrationsDir } from "./transfer/migrations.ts";

await runCommand(async (env) => {
  if (env.SUPABASE_URL) {
    throw new StartError("Into a Supabase of SUPABASE_URL put a file by npm run import.");
  }
  // Refuses the folder that the start would refuse.
  checkReadiness(env);
  const copy = await readCopy(fileArgument("restore"), env.BACKUP_PASSPHRASE);
  const fill = async (login: ClientConfig, keys: string) => {
    const client = await connect(login);
    return load(client, copy, { keys, isNew: true }).finally(() => client.end());
  };
  const made = { migrationsDir, keyFile: copy.keys, log };
  const lines = await withEmbedded(import("embedded-supabase/maintenance"), ({ makeDatabase }) =>
    makeDatabase(env.DATA_DIR, made, fill),
  );
  const { time, version } = copy.header;
  console.log(
    `${env.DATA_DIR} is as it was on ${time}, with version ${version} of the site. npm start opens it.`,
  );
  console.log(lines.join("\n"));
});
