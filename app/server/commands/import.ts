import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";
import { readCopy } from "./transfer/format.ts";
import { load } from "./transfer/load.ts";
import { showProgress } from "./transfer/progress.ts";
import { report } from "./transfer/report.ts";

await runCommand(async (env) => {
  const file = fileArgument("import");
  const passphrase = env.BACKUP_PASSPHRASE;
  const { client, keys, keyFile, close } = await openOwnDatabase(env);
  const progress = showProgress();
  try {
    const { header } = await readCopy(file, passphrase);
    const loaded = await load(client, file, { passphrase, header, keys, isNew: false, progress });
    progress.end();
    for (const [table, { added, skipped }] of loaded.counts) {
      console.log(`${table}: ${added} added, ${skipped} left out or there already`);
    }
    for (const line of await report(client, loaded, keyFile !== undefined)) {
      console.log(line);
    }
  } finally {
    progress.end();
    await close();
  }
});
