import { existsSync, statSync } from "node:fs";
import { StartError } from "#app/lib/start-error.ts";
import manifest from "#package.json" with { type: "json" };
import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { showProgress } from "./transfer/progress.ts";
import { saveCopy } from "./transfer/save.ts";

await runCommand(async (env) => {
  const file = fileArgument("export");
  const { client, keys, close } = await openOwnDatabase(env);
  try {
    const isReplaced = existsSync(file);
    if (isReplaced && statSync(file).isDirectory()) {
      throw new StartError(`${file} is a folder: name a file.`);
    }
    const counts = await saveCopy(client, file, {
      passphrase: env.BACKUP_PASSPHRASE,
      version: manifest.version,
      keys,
      // The other database has keys of its own.
      keyFile: undefined,
      progress: showProgress(),
    });
    for (const [table, count] of counts) {
      console.log(`${table}: ${count}`);
    }
    if (isReplaced) {
      console.log(`${file} was replaced.`);
    }
    console.log(`${file} holds messages and hashes of passwords: keep it as you keep the keys.`);
  } finally {
    await close();
  }
});
