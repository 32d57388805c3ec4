import type { ClientConfig } from "pg";
import { log } from "#app/lib/log.server.ts";
import { checkReadiness } from "#app/server/readiness.ts";
import { withEmbedded } from "#app/server/with-embedded.ts";
import { connect } from "./own-database.ts";
import { fileArgument, requireEmbedded, runCommand } from "./run-command.ts";
import { readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";
import { migrationsDir } from "./transfer/migrations.ts";
import { report } from "./transfer/report.ts";

await runCommand(async (env) => {
  requireEmbedded(env, "npm run import puts a file into yours.");
  // Refuses what the start would refuse.
  checkReadiness(env);
  const copy = await readCopy(fileArgument("restore"), env.BACKUP_PASSPHRASE);
  const fill = async (login: ClientConfig, keys: string) => {
    const client = await connect(login);
    try {
      const loaded = await load(client, copy, { keys, isNew: true });
      const added = (table: string) => loaded.counts.get(table)?.added ?? 0;
      const { time, version } = copy.header;
      return [
        `${env.DATA_DIR} is as it was on ${time}, with version ${version} of the site: ${added("auth.users")} accounts, ${added("public.contact_messages")} messages. npm start opens it.`,
        ...(await report(client, loaded, true)),
      ];
    } finally {
      await client.end();
    }
  };
  const made = { migrationsDir, keyFile: copy.keys, log };
  const lines = await withEmbedded(import("embedded-supabase/maintenance"), ({ makeDatabase }) =>
    makeDatabase(env.DATA_DIR, made, fill),
  );
  for (const line of lines) {
    console.log(line);
  }
});
