import { log } from "#app/lib/log.server.ts";
import { restore } from "#embedded/backup/restore.ts";
import { fileArgument, requireEmbedded, runCommand } from "./run-command.ts";

await runCommand(async (env) => {
  requireEmbedded(env, "restore yours where it runs.");
  const file = fileArgument("restore");
  const { time, version, accounts, messages } = await restore(
    file,
    env.BACKUP_PASSPHRASE,
    env.DATA_DIR,
    log,
  );
  console.log(
    `${env.DATA_DIR} is as it was on ${time}, with version ${version} of the site: ${accounts} accounts, ${messages} messages. npm start opens it.`,
  );
});
