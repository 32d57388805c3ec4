import { constants, setPriority } from "node:os";
import { StartError } from "#app/lib/start-error.ts";
import { backupPlace } from "#app/server/backups/place.ts";
import manifest from "#package.json" with { type: "json" };
import { openOwnDatabase } from "./own-database.ts";
import { runCommand } from "./run-command.ts";
import { backUp } from "./transfer/back-up.ts";

await runCommand(async (env) => {
  const place = backupPlace(env);
  if (place === undefined) {
    throw new StartError("Set BACKUP_DIR to the folder for backups, best on another disk.");
  }
  // Visitors wait for the same processors.
  setPriority(constants.priority.PRIORITY_LOW);
  const { client, close, ...keys } = await openOwnDatabase(env);
  try {
    const { path, bytes, removed } = await backUp(client, {
      ...keys,
      place,
      passphrase: env.BACKUP_PASSPHRASE,
      version: manifest.version,
      isByHand: !process.argv.includes("--nightly"),
    });
    console.log(`${path} is complete and verified, ${(bytes / 1e6).toFixed(1)} MB.`);
    for (const old of removed) {
      console.log(`${old} was removed, newer ones take its place.`);
    }
  } finally {
    await close();
  }
});
