import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { saveCopy } from "./transfer/save.ts";

await runCommand(async (env) => {
  const file = fileArgument("export");
  await using database = await openOwnDatabase(env);
  // The other database has keys of its own.
  const source = { ...database, keyFile: undefined };
  for (const [table, count] of await saveCopy(source, file, env.BACKUP_PASSPHRASE)) {
    console.log(`${table}: ${count}`);
  }
  console.log(`${file} holds messages and hashes of passwords: keep it as you keep the keys.`);
});
