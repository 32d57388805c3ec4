import type { ClientConfig } from "pg";
import { log } from "#app/lib/log.server.ts";
import { StartError } from "#app/lib/start-error.ts";
import { checkReadiness } from "#app/server/readiness.ts";
import { withEmbedded } from "#app/server/with-embedded.ts";
import { connect } from "./own-database.ts";
import { fileArgument, requireEmbedded, runCommand } from "./run-command.ts";
import { readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";
import { migrationsDir } from "./transfer/migrations.ts";
import { showProgress } from "./transfer/progress.ts";
import { report } from "./transfer/report.ts";

await runCommand(async (env) => {
  requireEmbedded(env, "npm run import puts a file into yours.");
  // Refuses what the start would refuse.
  checkReadiness(env);
  const file = fileArgument("restore");
  const passphrase = env.BACKUP_PASSPHRASE;
  const { header, keys: keyFile } = await readCopy(file, passphrase);
  const made = { migrationsDir, keyFile, log };
  const progress = showProgress();
  const fill = async (login: ClientConfig, keys: string) => {
    if (keyFile !== undefined && keys !== header.keys) {
      throw new StartError(`${file}: its keys are not those of its rows.`);
    }
    const client = await connect(login);
    try {
      const loaded = await load(client, file, { passphrase, header, keys, isNew: true, progress });
      const added = (table: string) => loaded.counts.get(table)?.added ?? 0;
      return [
        `${env.DATA_DIR} is as it was on ${header.time}, with version ${header.version} of the site: ${added("auth.users")} accounts, ${added("public.contact_messages")} messages. npm start opens it.`,
        ...(await report(client, loaded, true)),
      ];
    } finally {
      progress.end();
      await client.end();
    }
  };
  const lines = await withEmbedded(import("embedded-supabase/maintenance"), ({ makeDatabase }) =>
    makeDatabase(env.DATA_DIR, made, fill),
  );
  for (const line of lines) {
    console.log(line);
  }
});
