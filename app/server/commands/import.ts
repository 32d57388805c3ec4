import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";

await runCommand(async (env) => {
  const file = fileArgument("import");
  await using database = await openOwnDatabase(env);
  const copy = await readCopy(file, env.BACKUP_PASSPHRASE);
  const lines = await load(database.client, copy, { keys: database.keys, isNew: false });
  console.log(lines.join("\n"));
});
