import { existsSync } from "node:fs";
import { rename, rm } from "node:fs/promises";
import { exportRows } from "#supabase/transfer/export.ts";
import { openOwnDatabase } from "./own-database.ts";
import { fileArgument, runCommand } from "./run-command.ts";

await runCommand(async (env) => {
  const file = fileArgument("export");
  const { sql, keys, close } = await openOwnDatabase(env);
  const unfinished = `${file}.new`;
  try {
    const counts = await exportRows(sql, unfinished, keys);
    const isReplaced = existsSync(file);
    await rename(unfinished, file);
    for (const [table, count] of counts) {
      console.log(`${table}: ${count}`);
    }
    if (isReplaced) {
      console.log(`${file} was replaced.`);
    }
    console.log(`${file} holds messages and hashes of passwords: keep it as you keep the keys.`);
  } finally {
    await close();
    await rm(unfinished, { force: true });
  }
});
