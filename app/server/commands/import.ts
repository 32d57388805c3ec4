import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";
import { report } from "./transfer/report.ts";

await runCommand(async (env) => {
  const file = fileArgument("import");
  const { client, keys, keyFile, close } = await openOwnDatabase(env);
  try {
    const copy = await readCopy(file, env.BACKUP_PASSPHRASE);
    const loaded = await load(client, copy, { keys, isNew: false });
    for (const [table, { added, skipped }] of loaded.counts) {
      console.log(`${table}: ${added} added, ${skipped} left out or there already`);
    }
    for (const line of await report(client, loaded, keyFile !== undefined)) {
      console.log(line);
    }
  } finally {
    await close();
  }
});
